// The connection: fetch, as EventSource can send no token.

import { askToken, headers } from "./dialogs.js";
import { byId, moment, say } from "./words.js";

// silence is how long nothing may come before the connection counts as lost.
// The server sends something at least every two seconds.
const silence = 6000;

let lost = 0; // since when, 0 while connected

function connected() {
  lost = 0;
  document.body.classList.remove("lost");
  const e = byId("connection");
  e.className = "live";
  say(e, "Live");
}

function disconnected(why) {
  if (!lost) lost = Date.now();
  document.body.classList.add("lost");
  const e = byId("connection");
  e.className = "lost";
  say(e, `Connection lost at ${moment(new Date(lost))}${why ? ` (${why})` : ""}: what you see is old. Trying again …`);
}

// dispatch hands one server-sent event on.
function dispatch(block, receivers) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  if (receivers[name]) receivers[name](JSON.parse(data.join("\n")));
}

async function follow(receivers) {
  const control = new AbortController();
  let timer = setTimeout(() => control.abort(), silence);
  try {
    const response = await fetch("api/events", { headers: headers(), signal: control.signal, cache: "no-store" });
    if (response.status === 401) {
      clearTimeout(timer);
      await askToken();
      return;
    }
    if (!response.ok) throw new Error((await response.text()).trim() || `status ${response.status}`, { cause: "said" });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the server ended it");
      clearTimeout(timer);
      timer = setTimeout(() => control.abort(), silence);
      rest += value;
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        dispatch(rest.slice(0, end), receivers);
        rest = rest.slice(end + 2);
        connected();
      }
    }
  } catch (err) {
    disconnected(err.name === "AbortError" ? "nothing came" : err.cause === "said" ? err.message : "");
  } finally {
    clearTimeout(timer);
    control.abort();
  }
}

// forever follows the server's events, by name, and comes back when it is lost.
export async function forever(receivers) {
  for (;;) {
    await follow(receivers);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
