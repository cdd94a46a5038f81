// The list: each entry is drawn when it is opened, from the JSON beside it; and how to find and choose among them.

const list = document.getElementById("entry-list");
const articles = [...list.querySelectorAll(":scope > article")];
const records = new Map();

function record(article) {
  if (!records.has(article)) records.set(article, unpacked(JSON.parse(article.querySelector(":scope > script").textContent)));
  return records.get(article);
}

// Cells travel as arrays, what is out of the ordinary beside them.
function unpacked(whole) {
  for (const response of instanceOf(whole).responses ?? []) {
    const { cells } = response;
    if (!cells) continue;
    response.cells = cells.p.map((p, place) => ({ p_yes: p, mass: cells.m[place], mode: cells.mode, ...cells.x[place] }));
  }
  return whole;
}

function draw(article) {
  const body = article.querySelector(".body");
  if (body.dataset.drawn) return;
  body.dataset.drawn = "yes";
  body.prepend(...drawn(record(article)));
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
  article.querySelector("summary").focus({ preventScroll: true });
}

function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const find = document.getElementById("find");
const order = document.getElementById("order");
const choices = [...document.querySelectorAll(".toolbar select")].filter((choice) => choice !== order);
const found = document.getElementById("found");

const haystacks = new Map();

function haystack(article) {
  if (!haystacks.has(article)) {
    const { id, query, responses = [], items = [] } = instanceOf(record(article));
    haystacks.set(article, [id, query, ...items, ...responses.map((response) => response.text)].join("\n").toLocaleLowerCase());
  }
  return haystacks.get(article);
}

function isChosen(article) {
  return choices.every(({ id, value }) => !value || FACETS[id](record(article)).some((name) => `=${name}` === value));
}

function filter() {
  const words = find.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const article of articles) {
    const isWanted = isChosen(article);
    const text = isWanted && words.length ? haystack(article) : "";
    article.hidden = !(isWanted && words.every((word) => text.includes(word)));
    if (!article.hidden) shown += 1;
  }
  found.textContent = `${shown} of ${articles.length} shown`;
}

function sort() {
  const measure = MEASURES[order.value];
  const sorted = measure ? [...articles].sort((a, b) => measure(record(b)) - measure(record(a))) : articles;
  list.append(...sorted);
}

function setOpen(isOpen) {
  for (const article of articles) if (!article.hidden) article.querySelector("details").open = isOpen;
}

// `toggle` does not bubble, so it is caught on its way down.
list.addEventListener("toggle", (event) => {
  const article = event.target.parentElement;
  if (event.target.open && article.matches("article.entry")) draw(article);
}, true);
find.addEventListener("input", filter);
order?.addEventListener("change", sort);
for (const choice of choices) choice.addEventListener("change", filter);
document.getElementById("open-all").addEventListener("click", () => setOpen(true));
document.getElementById("close-all").addEventListener("click", () => setOpen(false));
window.addEventListener("hashchange", openFromAddress);
document.querySelector(".toolbar").hidden = false;
filter();
openFromAddress();
