// How single responses are drawn: the table of their scores, what is missing in it, and what stands behind a score.

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

function responseText(response) {
  return response.text.trim() ? prose(response.text, response.language) : quiet("The response is empty.");
}

// The score, and what the judge said in words.
function scoreLine(response) {
  const parts = [isNumber(response.score) ? response.score.toFixed(2) : DASH];
  if (isNumber(response.verdict)) parts.push(`verdict ${response.verdict}`);
  if (response.retried) parts.push("retried");
  return element("span", { class: "quiet" }, parts.join(" · "));
}

function listedItems(instance) {
  return instance.items ? [labelled(origin(instance), itemList(instance.items))] : [];
}

function origin(instance) {
  const count = `${instance.items.length} ${instance.items.length === 1 ? "item" : "items"}`;
  return `Checklist: ${count}, ${instance.source}${instance.generator ? ` by ${instance.generator}` : ""}`;
}

// What a served page adds below a checklist; a report that stands alone adds nothing.
const editable = { current: () => [] };

function scoreTable(instance) {
  const title = instance.items ? origin(instance) : "Scores";
  return [labelled(title, checklistTable(instance), ...legend(instance), ...editable.current(instance)), ...leftOut(instance)];
}

function whatWasAsked(title, instance) {
  const { history, query, language, reference } = instance;
  const parts = [labelled(title, prose(query, language), ...findings(instance))];
  if (history) parts.unshift(folded(`Conversation before the ${title.toLowerCase()} (${history.length})`, ...conversation(history)));
  if (reference !== undefined) parts.push(folded("Reference", prose(reference)));
  return parts;
}
