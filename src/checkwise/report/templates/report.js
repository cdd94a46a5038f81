"use strict";
// Draws an instance when it is opened, from the JSON beside it. Text enters the page through textContent only.

const DASH = "–";
const list = document.getElementById("instance-list");
const articles = [...list.querySelectorAll(":scope > article")];
const records = new Map();

function record(article) {
  if (!records.has(article)) records.set(article, JSON.parse(article.querySelector(":scope > script").textContent));
  return records.get(article);
}

// Overrides of the text's direction make a text look like another one, so they are shown instead of obeyed.
function visible(text) {
  return text.replace(/[\u202d\u202e]/g, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, visible(`${value}`));
  node.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return node;
}

// `null` from absent fields: the JSON leaves out what has its default.
const isNumber = (value) => typeof value === "number";

// Fenced code keeps its lines and its font; everything is shown verbatim, fences included.
function prose(text, language = "") {
  const block = element("div", { class: "text", lang: language });
  for (const part of text.split(/(^ {0,3}```[^]*?^ {0,3}```[ \t]*$)/m)) {
    const isCode = /^ {0,3}```/.test(part);
    const shown = isCode ? part : part.replace(/^\n+|\n+$/g, "");
    if (shown) block.append(element(isCode ? "pre" : "p", { dir: isCode ? "ltr" : "auto", tabindex: isCode ? 0 : undefined }, shown));
  }
  return block;
}

function labelled(title, ...children) {
  return element("div", { class: "part" }, element("h4", {}, title), ...children);
}

function folded(title, ...children) {
  return element("details", { class: "part" }, element("summary", {}, element("h4", {}, title)), ...children);
}

function conversation(turns) {
  return turns.map((turn) => element("div", { class: "turn" }, element("b", {}, turn.role), prose(turn.content)));
}

function heat(value) {
  return `heat-${Math.round(value * 10)}`;
}

function missing(reason) {
  return element("td", { class: "missing", title: reason }, DASH, element("span", { class: "unseen" }, ` unscored: ${reason}`));
}

function mark(symbol, meaning) {
  return element("sup", { "aria-label": meaning }, symbol);
}

function itemCell(cell) {
  if (!isNumber(cell.p_yes)) return missing(cell.reason);
  const mass = isNumber(cell.mass) ? `, mass ${cell.mass.toFixed(2)}${cell.low_mass ? " (low)" : ""}` : "";
  const bound = cell.bounded ? ", rests on a bound" : "";
  const why = cell.reason ? `, ${cell.reason}` : "";
  const title = `p_yes ${cell.p_yes.toFixed(3)}${mass}${bound}, ${cell.mode}${why}`;
  const node = element("td", { class: heat(cell.p_yes), title }, cell.p_yes.toFixed(2));
  if (cell.low_mass) node.append(mark("▿", "low mass"));
  if (cell.bounded) node.append(mark("†", "rests on a bound"));
  return node;
}

function scoreCell(response) {
  if (!isNumber(response.score)) return missing(response.reason);
  const title = `score ${response.score.toFixed(3)}${response.reason ? `, ${response.reason}` : ""}`;
  const node = element("td", { class: heat(response.score), title }, response.score.toFixed(2));
  if (response.status === "empty") node.append(mark("∅", "empty response"));
  return node;
}

function checklistTable(instance) {
  const { items = [], responses = [] } = instance;
  const row = (kind, header, cells) => element("tr", {}, element(kind, { scope: "row", class: "sticky item" }, element("div", { dir: "auto" }, header)), ...cells);
  const head = element("tr", {}, element("th", { scope: "col", class: "sticky item" }, items.length ? "Item" : ""));
  for (const response of responses) head.append(element("th", { scope: "col" }, element("bdi", {}, response.model)));
  const body = items.map((item, index) =>
    row("th", item, responses.map((response) => itemCell(response.cells[index]))));
  const caption = items.length
    ? "Probability that the answer to each item is Yes, by model."
    : "Score of each response; there is no checklist.";
  const table = element("table", { class: "heat" }, element("caption", {}, element("span", {}, caption)), element("thead", {}, head),
    element("tbody", {}, ...body), element("tfoot", {}, row("th", "Score", responses.map(scoreCell))));
  return element("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 }, table);
}

function legend(instance) {
  const responses = instance.responses ?? [];
  const cells = responses.flatMap((response) => response.cells ?? []);
  const lines = [
    cells.some((cell) => cell.low_mass) && "▿ low mass: the judge wanted to say something other than Yes or No",
    cells.some((cell) => cell.bounded) && "† one of Yes and No was not among the returned tokens: the number rests on a bound",
    responses.some((response) => response.status === "empty") && "∅ empty response, scored by rule",
  ].filter(Boolean);
  return lines.length ? [element("p", { class: "legend" }, lines.join(" · "))] : [];
}

// Reasons are also spelled out, for touch screens and paper, where nothing hovers.
function leftOut(instance) {
  const lines = [];
  for (const response of instance.responses ?? []) {
    const say = (what, reason) => lines.push(element("li", {}, element("bdi", {}, response.model), `, ${what}: `, element("bdi", {}, reason)));
    if (!isNumber(response.score)) say("score", response.reason);
    const byReason = new Map();
    (response.cells ?? []).forEach((cell, index) => {
      if (!isNumber(cell.p_yes)) byReason.set(cell.reason, [...(byReason.get(cell.reason) ?? []), index + 1]);
    });
    for (const [reason, numbers] of byReason) say(`${numbers.length === 1 ? "item" : "items"} ${numbers.join(", ")}`, reason);
  }
  return lines.length ? [labelled("Unscored", element("ul", { class: "reasons" }, ...lines))] : [];
}

function responseDetails(response) {
  const score = isNumber(response.score) ? response.score.toFixed(2) : DASH;
  const text = response.text.trim() ? prose(response.text) : element("p", { class: "quiet" }, "The response is empty.");
  const seen = response.history ? [folded("Conversation as this model saw it", ...conversation(response.history))] : [];
  return element("details", { class: "response" },
    element("summary", {}, element("bdi", {}, response.model), " ", element("span", { class: "quiet" }, score)), ...seen, text);
}

function origin(instance) {
  const count = `${instance.items.length} ${instance.items.length === 1 ? "item" : "items"}`;
  return `Checklist: ${count}, ${instance.source}${instance.generator ? ` by ${instance.generator}` : ""}`;
}

function draw(article) {
  const body = article.querySelector(".body");
  if (body.dataset.drawn) return;
  body.dataset.drawn = "yes";
  const instance = record(article);
  const responses = instance.responses ?? [];
  const parts = [];
  if (instance.history) parts.push(folded(`Conversation before the query (${instance.history.length})`, ...conversation(instance.history)));
  parts.push(labelled("Query", prose(instance.query, instance.language)));
  if (instance.reference !== undefined) parts.push(folded("Reference", prose(instance.reference)));
  if (responses.length) {
    parts.push(labelled(instance.items ? origin(instance) : "Scores", checklistTable(instance), ...legend(instance)));
    parts.push(...leftOut(instance), labelled("Responses", ...responses.map(responseDetails)));
  } else {
    parts.push(element("p", { class: "quiet" }, "Nobody answered this query."));
    if (instance.items) parts.push(labelled(origin(instance), element("ol", {}, ...instance.items.map((item) => element("li", { dir: "auto" }, item)))));
  }
  body.prepend(...parts);
}

function openFromAddress() {
  const wanted = location.hash.slice(1);
  if (!wanted) return;
  const article = articles.find((candidate) => candidate.id === wanted || candidate.id === decoded(wanted));
  if (!article) return;
  article.hidden = false;
  article.querySelector("details").open = true;
  draw(article);
  article.scrollIntoView();
}

function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const find = document.getElementById("find");
const category = document.getElementById("category");
const found = document.getElementById("found");

function haystack(instance) {
  const texts = [instance.id, instance.query, ...(instance.responses ?? []).map((response) => response.text)];
  return texts.join("\n").toLocaleLowerCase();
}

function filter() {
  const words = find.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const wanted = category?.value ?? "";
  let shown = 0;
  for (const article of articles) {
    const isWanted = !wanted || `=${record(article).category ?? ""}` === wanted;
    const text = isWanted && words.length ? haystack(record(article)) : "";
    article.hidden = !(isWanted && words.every((word) => text.includes(word)));
    if (!article.hidden) shown += 1;
  }
  found.textContent = `${shown} of ${articles.length} shown`;
}

function setOpen(isOpen) {
  for (const article of articles) if (!article.hidden) article.querySelector("details").open = isOpen;
}

// `toggle` does not bubble, so it is caught on its way down.
list.addEventListener("toggle", (event) => {
  const article = event.target.parentElement;
  if (event.target.open && article.matches("article.instance")) draw(article);
}, true);
find.addEventListener("input", filter);
category?.addEventListener("change", filter);
document.getElementById("open-all").addEventListener("click", () => setOpen(true));
document.getElementById("close-all").addEventListener("click", () => setOpen(false));
window.addEventListener("hashchange", openFromAddress);
document.querySelector(".toolbar").hidden = false;
filter();
openFromAddress();
