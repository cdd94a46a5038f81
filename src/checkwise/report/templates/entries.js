// The list: each entry is drawn when it is opened, from the JSON beside it; and how to find and choose among them.

const list = document.getElementById("entry-list");
const articles = [...list.querySelectorAll(":scope > article")];
const records = new Map();

function record(article) {
  if (!records.has(article)) records.set(article, JSON.parse(article.querySelector(":scope > script").textContent));
  return records.get(article);
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
}

function decoded(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const find = document.getElementById("find");
const choices = [...document.querySelectorAll(".toolbar select")];
const found = document.getElementById("found");

function haystack({ id, query, responses = [] }) {
  return [id, query, ...responses.map((response) => response.text)].join("\n").toLocaleLowerCase();
}

function isChosen(article) {
  return choices.every(({ id, value }) => !value || FACETS[id](record(article)).some((name) => `=${name}` === value));
}

function filter() {
  const words = find.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const article of articles) {
    const isWanted = isChosen(article);
    const text = isWanted && words.length ? haystack(instanceOf(record(article))) : "";
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
  if (event.target.open && article.matches("article.entry")) draw(article);
}, true);
find.addEventListener("input", filter);
for (const choice of choices) choice.addEventListener("change", filter);
document.getElementById("open-all").addEventListener("click", () => setOpen(true));
document.getElementById("close-all").addEventListener("click", () => setOpen(false));
window.addEventListener("hashchange", openFromAddress);
document.querySelector(".toolbar").hidden = false;
filter();
openFromAddress();
