// A pair: what was asked, both responses side by side, and the verdict in each order.

const FACETS = {
  language: (pair) => [pair.instance.language ?? ""],
  subset: (pair) => [pair.subset ?? ""],
  outcome: (pair) => pair.outcomes ?? [],
};

function instanceOf(pair) {
  return pair.instance;
}

function drawn(pair) {
  const { instance, orders = [] } = pair;
  const shown = orders.filter((order) => order.first && ["judged", "unscored"].includes(order.status));
  const table = pair.is_scored_alone ? scoreTable(instance) : listedItems(instance);
  const outcome = labelled("Outcome", element("p", { class: "outcome", dir: "auto" }, pair.summary));
  return [
    ...whatWasAsked("Instruction", instance),
    sideBySide(instance.responses.map((response, place) => responseSide(pair, response, pair.writers?.[place]))),
    ...table,
    outcome,
    ...(shown.length ? [sideBySide(shown.map(orderSide))] : []),
  ];
}

function sideBySide(sides) {
  return element("div", { class: "sides" }, ...sides);
}

function responseSide(pair, response, writer) {
  const head = element("div", { class: "side-head" }, element("h4", {}, response.model));
  if (writer) head.append(element("bdi", { class: "quiet" }, writer));
  if (pair.is_scored_alone) head.append(scoreLine(response));
  if (pair.label === response.model) head.append(element("span", { class: "tag label" }, "better, by the data"));
  if (pair.label === "tie") head.append(element("span", { class: "tag label" }, "as good as the other, by the data"));
  return element("section", { class: "side", "aria-label": `Response ${response.model}` },
    head, responseText(response), element("div", {}, ...findings(response)));
}

function orderSide(order) {
  const verdict = order.verdict ? `Verdict ${order.verdict}` : "Unscored";
  const facts = [];
  if (isNumber(order.p_a)) facts.push(`P(A is better) ${order.p_a.toFixed(2)}`);
  if (isNumber(order.mass)) facts.push(`mass ${order.mass.toFixed(2)}`);
  if (order.retried) facts.push("retried");
  const head = element("div", { class: "side-head" }, element("h4", {}, `${order.first} shown first`),
    element("b", {}, verdict), element("span", { class: "quiet" }, facts.join(" · ")));
  const why = order.reason ? [quiet(element("bdi", {}, order.reason))] : [];
  return element("section", { class: "side", "aria-label": `${order.first} shown first` },
    head, element("div", {}, ...why, ...findings(order)));
}
