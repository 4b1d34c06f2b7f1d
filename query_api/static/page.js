// One page to ask from. Everything that comes from the server is put in with textContent: answers and source are text, never markup.

const at = (id) => document.getElementById(id);
const CONTEXT = 40;
let running = null;
let citations = new Map();

start();

async function start() {
  at("form").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  at("stop").addEventListener("click", () => running?.abort());
  at("question").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); ask(); }
  });
  await showState();
  const asked = new URLSearchParams(location.search);
  if (asked.get("codebase")) at("codebase").value = asked.get("codebase");
  if (asked.get("question")) { at("question").value = asked.get("question"); ask(); }
}

async function showState() {
  try {
    const { codebases } = await (await fetch("/codebases")).json();
    const indexed = codebases.filter((one) => one.indexed);
    for (const one of indexed) at("codebase").append(element("option", { value: one.codebase, text: one.title }));
    const chunks = indexed.reduce((sum, one) => sum + one.chunks, 0);
    at("state").textContent = indexed.length
      ? `${indexed.length} codebase${indexed.length === 1 ? "" : "s"}, ${chunks.toLocaleString()} units indexed`
      : "Nothing is indexed yet";
  } catch {
    at("state").textContent = "The server does not answer";
  }
}

async function ask() {
  const question = at("question").value.trim();
  if (!question) return;
  running?.abort();
  const own = running = new AbortController();
  reset();
  busy(true);
  const body = { question, mode: at("mode").value };
  if (at("codebase").value) body.codebase = at("codebase").value;
  if (at("language").value) body.language = at("language").value;
  try {
    const response = await fetch("/ask", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal: own.signal,
    });
    if (!response.ok) {
      const { error } = await response.json();
      fail(error.message);
    } else {
      for await (const { name, data } of events(response.body)) show(name, data);
    }
  } catch (error) {
    if (own.signal.aborted) note("Stopped.");
    else fail("The connection broke. Ask again.");
  } finally {
    if (running === own) busy(false);
  }
}

async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (name && data) yield { name, data: JSON.parse(data) };
    }
  }
}

function show(name, data) {
  const handlers = {
    meta: showMeta, sources: showSources, token: showToken, citation: (one) => citations.set(one.id, one),
    sentence: showSentence, warning: (one) => note(one.message), restart: () => at("answer").replaceChildren(), final: showFinal, error: (one) => fail(one.message),
  };
  handlers[name]?.(data);
}

function showMeta(data) {
  const said = data.aliases
    .filter((one) => one.name !== one.written && one.codebases.length)
    .map((one) => `“${one.written}” read as ${one.name}`);
  if (said.length) note(said.join("; ") + ".");
}

function showSources({ sources }) {
  at("sources-box").hidden = !sources.length;
  for (const one of sources) {
    const open = element("button", { type: "button", text: `${one.codebase}/${one.path}:${one.start_line}–${one.end_line}${one.name ? ` — ${one.name}` : ""}` });
    open.addEventListener("click", () => view(one, null));
    const item = element("li", {});
    item.append(open);
    at("sources").append(item);
  }
}

function showToken({ sentence, text }) {
  let line = at(`s${sentence}`);
  if (!line) {
    line = element("p", { id: `s${sentence}`, class: "sentence" });
    line.append(element("span", { class: "text" }));
    at("answer").append(line);
  }
  const span = line.querySelector(".text");
  span.dataset.text = (span.dataset.text ?? "") + text;
  withCode(span, span.dataset.text);
}

function showSentence({ index, status, citations: ids, problems }) {
  const line = at(`s${index}`);
  if (!line) return;
  if (status === "removed") { line.remove(); return; }
  line.classList.add(status);
  for (const id of ids) {
    const one = citations.get(id);
    if (!one) continue;
    const open = element("button", { type: "button", class: "cite", text: id, title: `${one.path}:${one.start_line}–${one.end_line}`, "aria-label": `Source ${id}: ${one.path} lines ${one.start_line} to ${one.end_line}` });
    open.addEventListener("click", () => view(one, open));
    line.append(open);
  }
  if (status === "weak" && problems.length) line.append(element("span", { class: "problems", text: problems.join("; ") }));
}

function showFinal(data) {
  if (data.refused) {
    const box = element("p", { class: "refused", text: data.answer });
    at("answer").replaceChildren(box);
  }
  const by = { extractive: "quoted from the source, no model", graph: "from the graph, no model" }[data.provider] ?? `${data.provider} ${data.model}`;
  const seconds = (data.timings_ms.total / 1000).toFixed(2);
  const checked = data.sentences.filter((one) => one.status === "verified").length;
  at("meta").textContent = data.refused
    ? `Not answered (${data.reason.replaceAll("_", " ")}) · ${seconds} s`
    : `${checked} of ${data.sentences.filter((one) => one.status !== "removed").length} sentences verified · ${by} · ${seconds} s`;
}

async function view(one, button) {
  document.querySelectorAll(".cite.open").forEach((other) => other.classList.remove("open"));
  button?.classList.add("open");
  const start = Math.max(1, one.start_line - CONTEXT);
  const address = `/source/${encodeURIComponent(one.codebase)}/${encodeURIComponent(one.file_id)}?start=${start}&end=${one.end_line + CONTEXT}`;
  let file;
  try {
    const response = await fetch(address);
    file = await response.json();
    if (!response.ok) throw new Error(file.error.message);
  } catch (error) {
    file = null;
    at("viewer-path").textContent = `Cannot be shown: ${error.message}`;
  }
  at("viewer").hidden = false;
  at("result").classList.add("two");
  if (!file) { at("viewer-code").replaceChildren(); return; }
  at("viewer-path").textContent = `${file.codebase}/${file.path}:${one.start_line}–${one.end_line}`;
  const table = element("table", {});
  for (const { number, text } of file.lines) {
    const row = element("tr", number >= one.start_line && number <= one.end_line ? { class: "hit" } : {});
    row.append(element("td", { class: "number", text: String(number) }), element("td", { text: visible(text) || " " }));
    table.append(row);
  }
  at("viewer-code").replaceChildren(table);
  const hit = table.querySelector("tr.hit");
  if (hit) at("viewer-code").scrollTop = Math.max(0, hit.offsetTop - at("viewer-code").clientHeight / 3);
  if (matchMedia("(max-width: 70rem)").matches) at("viewer").scrollIntoView({ block: "start" });
}

function withCode(parent, text) {
  parent.replaceChildren();
  for (const [place, piece] of text.split(/`([^`]*)`/).entries()) {
    if (piece) parent.append(place % 2 ? element("code", { text: visible(piece) }) : document.createTextNode(visible(piece)));
  }
}

function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, (one) => `<U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);
}

function note(text) {
  const place = at("notes");
  place.hidden = false;
  place.textContent = place.textContent ? `${place.textContent} ${text}` : text;
}

function fail(message) {
  at("answer").append(element("p", { class: "failed", text: message }));
}

function reset() {
  citations = new Map();
  for (const id of ["answer", "sources"]) at(id).replaceChildren();
  for (const id of ["notes", "meta"]) at(id).textContent = "";
  at("notes").hidden = true;
  at("sources-box").hidden = true;
  at("viewer").hidden = true;
  at("result").hidden = false;
  at("result").classList.remove("two");
}

function busy(on) {
  at("send").disabled = on;
  at("stop").hidden = !on;
  at("answer").classList.toggle("waiting", on);
}

function element(name, attributes) {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") found.textContent = value;
    else found.setAttribute(key, value);
  }
  return found;
}
