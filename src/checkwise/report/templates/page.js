// What works everywhere on the page: the theme, Markdown or not, and the keyboard.

const THEMES = ["as the system", "light", "dark"];
const theme = document.getElementById("theme");
const markup = document.getElementById("markup");
const help = document.getElementById("help");

function nextTheme() {
  const now = document.documentElement.dataset.theme ?? THEMES[0];
  setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
}

function setTheme(name) {
  if (name === THEMES[0]) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.textContent = `Theme: ${name}`;
  remember("checkwise-theme", name);
}

// A page that is opened as a file may not be allowed to remember.
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it does not.
  }
}

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function toggleMarkup() {
  setRendered(!isRendered);
  markup.setAttribute("aria-pressed", `${isRendered}`);
  markup.textContent = isRendered ? "Markdown rendered" : "Text as written";
}

function step(by) {
  const shown = [...list.children].filter((article) => !article.hidden);
  const at = shown.findIndex((article) => article.contains(document.activeElement));
  const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
  if (!next) return;
  next.querySelector("summary").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function toggleHere() {
  const article = document.activeElement?.closest?.("article.entry");
  if (!article) return;
  const details = article.querySelector("details");
  details.open = !details.open;
  if (details.open) article.scrollIntoView({ block: "start" });
}

// Links to the sections, in their order.
function contents() {
  const links = [...document.querySelectorAll("main > section > h2[id]")].map((title) =>
    element("a", { href: `#${title.id}` }, title.textContent));
  return element("nav", { class: "contents", "aria-label": "Sections" }, ...links);
}

const KEYS = {
  "j": () => step(1),
  "k": () => step(-1),
  "o": toggleHere,
  "/": () => find.focus(),
  "m": toggleMarkup,
  "t": nextTheme,
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.key === "Escape" && event.target === find) find.blur();
  if (event.target.closest("input, select, textarea")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
theme.addEventListener("click", nextTheme);
markup.addEventListener("click", toggleMarkup);
document.getElementById("keys").addEventListener("click", () => help.showModal());
document.querySelector(".actions").hidden = false;
document.querySelector("header").append(contents());
if (THEMES.includes(remembered("checkwise-theme"))) setTheme(remembered("checkwise-theme"));
