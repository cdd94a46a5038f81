"use strict";
// Which of the turned items are shown.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, `${value}`);
  node.append(...children);
  return node;
}

const which = document.getElementById("turned");
const model = document.getElementById("model");
const found = document.getElementById("found");
const rows = [...document.querySelectorAll("tr[data-turned]")];

function show() {
  let shown = 0;
  for (const row of rows) {
    row.hidden = Boolean((which.value && row.dataset.turned !== which.value) || (model.value && `=${row.dataset.model}` !== model.value));
    if (!row.hidden) shown += 1;
  }
  found.textContent = `${shown} of ${rows.length} shown`;
}

if (which) {
  which.addEventListener("change", show);
  model.addEventListener("change", show);
  show();
}
