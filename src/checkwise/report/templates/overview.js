"use strict";
// The list of runs: drawn anew while they grow, unless somebody is choosing.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, `${value}`);
  node.append(...children);
  return node;
}

const chosen = () => [...document.querySelectorAll("select")].some((select) => select.value !== select.options[select.dataset.first]?.value);
setInterval(() => {
  if (!chosen() && !document.hidden) location.reload();
}, 5000);
