// How text and findings are drawn. Text enters the page through textContent only.

const DASH = "–";

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

// Every text that is drawn, so that it can be drawn again the other way: with its Markdown obeyed, or as it was written.
let isRendered = true;
const drawnTexts = new Set();

function prose(text, language = "") {
  const block = element("div", { class: "text", lang: language });
  drawnTexts.add([new WeakRef(block), text]);
  fill(block, text);
  return block;
}

function fill(block, text) {
  block.classList.toggle("verbatim", !isRendered);
  block.replaceChildren(...(isRendered ? markdown(text) : [element("p", { dir: "auto" }, text)]));
}

function setRendered(wanted) {
  isRendered = wanted;
  for (const entry of drawnTexts) {
    const block = entry[0].deref();
    if (block?.isConnected) fill(block, entry[1]);
    else if (!block) drawnTexts.delete(entry);
  }
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

function quiet(...children) {
  return element("p", { class: "quiet" }, ...children);
}

function itemList(items) {
  return element("ol", { class: "items" }, ...items.map((item) => element("li", { dir: "auto" }, item)));
}

// What a method wrote down on its way to a verdict, by step: its title, and how it is drawn.
const STEPS = {
  "concepts": ["Concepts", bullets],
  "translation": ["Translation", (text) => prose(text, "en")],
  "checklist from response": ["Checklist from the response", (text) => itemList(linesOf(text))],
  "checklist from instruction": ["Checklist from the instruction", (text) => itemList(linesOf(text))],
  "feedback": ["Feedback", (text) => prose(text)],
  "retry": ["Second asking", (text) => prose(text)],
};

function linesOf(text) {
  return text.split("\n").filter((line) => line.trim());
}

function bullets(text) {
  const items = linesOf(text).map((line) => line.replace(/^\s*[-*•]\s+/, ""));
  return element("ul", { class: "items" }, ...items.map((item) => element("li", { dir: "auto" }, item)));
}

// A translation repeats a text that is shown already, so it is folded.
function finding({ step, text, reason }) {
  const [title, draw] = STEPS[step];
  const note = reason ? [" ", element("bdi", { class: "note" }, reason)] : [];
  const attributes = { class: "finding", "data-step": step };
  if (text === undefined) return element("div", { ...attributes, class: "finding lacking" }, element("h5", {}, title, " missing:", ...note));
  if (step !== "translation") return element("div", attributes, element("h5", {}, title, ...note), draw(text));
  return element("details", attributes, element("summary", {}, element("h5", {}, title, ...note)), draw(text));
}

function findings(record) {
  return (record.findings ?? []).map(finding);
}
