// What a page does while checkwise view serves it: follow the run, edit its checklists, and have them graded again.

const live = document.getElementById("live");
const { token, address, version, command = null } = JSON.parse(live.dataset.live);
const banner = document.getElementById("live-banner");
const SECOND = 1000;

async function send(what, body = {}) {
  const reply = await fetch(`${address}${what}`, { method: "POST", headers: { "X-Checkwise-Token": token }, body: JSON.stringify(body) });
  const text = await reply.text();
  let said = {};
  try {
    said = JSON.parse(text);
  } catch {
    said = { error: text };
  }
  if (!reply.ok) throw new Error(said.error);
  return said;
}

function announce(text, ...buttons) {
  banner.hidden = !text;
  banner.replaceChildren(...(text ? [element("span", {}, text), ...buttons] : []));
}

function button(label, act) {
  const node = element("button", { type: "button" }, label);
  node.addEventListener("click", act);
  return node;
}

// The page is made anew with what was open in it.
const OPEN = `checkwise-open ${address}`;

function showAgain() {
  const open = articles.filter((article) => article.querySelector("details").open).map((article) => article.id);
  sessionStorage.setItem(OPEN, JSON.stringify({ open, top: scrollY }));
  location.reload();
}

function openAgain() {
  const { open, top } = JSON.parse(sessionStorage.getItem(OPEN) ?? "{}");
  sessionStorage.removeItem(OPEN);
  if (!open) return;
  for (const article of articles) article.querySelector("details").open ||= open.includes(article.id);
  requestAnimationFrame(() => scrollTo(0, top));
}

function isEditing() {
  return document.querySelector(".editor") !== null;
}

let isGrading = false;

async function follow() {
  try {
    const state = await (await fetch(`${address}state`)).json();
    if (state.failure) announce(`Grading ended with an error: ${state.failure}`);
    else if (state.running) announce(`Grading: ${state.judged} of ${state.total} judged so far.`);
    else if (state.version !== version) {
      if (isGrading && !isEditing()) showAgain();
      else announce(`There is more: ${state.judged} of ${state.total} judged.`, button("Show it", () => showAgain()));
    }
    isGrading = state.running;
  } catch {
    announce("The server does not answer any more.");
  }
  setTimeout(follow, isGrading ? SECOND : 2 * SECOND);
}

function offerGrading() {
  if (command === null) {
    announce("Saved. Make the run again as it was made: only what changed is asked.");
    return;
  }
  announce("Saved. Only what changed is graded again, by calling ", element("code", {}, command), button("Grade again", grade));
}

async function grade() {
  try {
    await send("regrade");
    isGrading = true;
    announce("Grading.");
  } catch (error) {
    announce(error.message);
  }
}

// The items one a line, so that they can be moved, split and merged as text.
function editor(instance, place) {
  const field = element("textarea", { "aria-label": "One item a line", dir: "auto", rows: Math.max(4, instance.items.length + 2) });
  field.value = instance.items.join("\n");
  const problem = element("p", { class: "quiet", role: "alert" });
  const box = element("div", { class: "editor" }, field, problem);
  const close = () => box.replaceWith(place);
  const save = async () => {
    try {
      await send("checklist", { instance: instance.id, items: field.value.split("\n") });
      close();
      offerGrading();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  box.append(element("div", { class: "buttons" }, button("Save", save), " ", button("Cancel", close)));
  place.replaceWith(box);
  field.focus();
}

editable.current = (instance) => {
  if (!instance.items) return [];
  const edit = button("Edit the checklist", () => editor(instance, edit));
  return [element("p", { class: "edit" }, edit)];
};
// Once the entries are there.
document.addEventListener("DOMContentLoaded", () => {
  openAgain();
  follow();
});
