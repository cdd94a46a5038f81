// An instance: what was asked, the table of its scores, and the responses side by side.

const FACETS = {
  category: (instance) => [instance.category ?? ""],
  language: (instance) => [instance.language ?? ""],
  state: (instance) => statesOf(instance.responses ?? []),
};

const MEASURES = {
  apart: (instance) => spread(scoresOf(instance)),
  low: (instance) => -average(scoresOf(instance)),
  upset: (instance) => instance.upset ?? 0,
};

function instanceOf(instance) {
  return instance;
}

function statesOf(responses) {
  const states = [];
  if (!responses.length) states.push("nobody answered");
  if (responses.some((response) => !isNumber(response.score) || (response.cells ?? []).some((cell) => !isNumber(cell.p_yes)))) states.push("unscored");
  if (responses.some((response) => response.status === "empty")) states.push("empty");
  if (responses.some((response) => (response.cells ?? []).some((cell) => cell.low_mass))) states.push("low mass");
  return states;
}

function scoresOf(instance) {
  return (instance.responses ?? []).map((response) => response.score).filter(isNumber);
}

function spread(scores) {
  return scores.length ? Math.max(...scores) - Math.min(...scores) : -1;
}

function average(scores) {
  return scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : 2;
}

function drawn(instance) {
  const asked = whatWasAsked("Query", instance);
  const { responses = [] } = instance;
  if (!responses.length) return [...asked, quiet("Nobody answered this query."), ...listedItems(instance)];
  const row = element("div", { class: "responses", tabindex: 0, role: "region", "aria-label": "Responses side by side" },
    ...responses.map(responseCard));
  return [...asked, ...scoreTable(instance), labelled("Responses", row)];
}

function responseCard(response) {
  const seen = response.history ? [folded("Conversation as this model saw it", ...conversation(response.history))] : [];
  return element("section", { class: "response", "aria-label": `Response of ${response.model}` },
    element("div", { class: "side-head" }, element("h5", {}, element("bdi", {}, response.model)), scoreLine(response)),
    ...seen, responseText(response), ...findings(response));
}
