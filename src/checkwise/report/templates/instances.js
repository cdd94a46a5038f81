// An instance: what was asked, the table of its scores, and each response.

const FACETS = { category: (instance) => [instance.category ?? ""] };

function instanceOf(instance) {
  return instance;
}

function drawn(instance) {
  const asked = whatWasAsked("Query", instance);
  const { responses = [] } = instance;
  if (!responses.length) return [...asked, quiet("Nobody answered this query."), ...listedItems(instance)];
  return [...asked, ...scoreTable(instance), labelled("Responses", ...responses.map(responseDetails))];
}

function responseDetails(response) {
  const seen = response.history ? [folded("Conversation as this model saw it", ...conversation(response.history))] : [];
  return element("details", { class: "response" },
    element("summary", {}, element("bdi", {}, response.model), " ", scoreLine(response)),
    ...seen, responseText(response), ...findings(response));
}
