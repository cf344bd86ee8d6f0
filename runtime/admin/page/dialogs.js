// Dialogs, and the token that they ask for.

import { byId, element } from "./words.js";

function token() {
  return sessionStorage.getItem("margay-token") || "";
}

export function headers() {
  return token() ? { Authorization: `Bearer ${token()}` } : {};
}

// ask shows a question and runs an action on yes; the action returns what is
// wrong, or nothing.
function ask({ title, text, yes, danger, action }) {
  const dialog = byId("ask");
  byId("ask-title").textContent = title;
  byId("ask-text").textContent = text;
  byId("ask-yes").textContent = yes;
  byId("ask-yes").className = danger ? "danger" : "";
  byId("ask-trouble").textContent = "";
  byId("token").value = "";
  byId("ask-token").hidden = Boolean(token());
  dialog.showModal();
  return new Promise((resolve) => {
    byId("ask-form").onsubmit = async (event) => {
      event.preventDefault();
      if (byId("token").value) sessionStorage.setItem("margay-token", byId("token").value);
      byId("token").value = "";
      const trouble = await action();
      if (!trouble) {
        dialog.close();
        return;
      }
      byId("ask-trouble").textContent = trouble;
      byId("ask-token").hidden = Boolean(token());
      if (!token()) byId("token").focus();
    };
    byId("ask-no").onclick = () => dialog.close();
    dialog.onclose = resolve;
  });
}

export function askToken() {
  const refused = Boolean(token());
  sessionStorage.removeItem("margay-token");
  return ask({
    title: "Who are you?",
    text: refused ? "That is not the token. This page is guarded by the admin token." : "This page is guarded by the admin token.",
    yes: "Show",
    action: async () => (token() ? "" : "Write the token."),
  });
}

export function move(what, id) {
  const isolating = what === "isolate";
  return ask({
    title: isolating ? "Isolate the circuit?" : "Reset the circuit?",
    text: isolating ? `Every request of ${id} is answered as with an open circuit until somebody resets it.` : `The circuit of ${id} closes, and what was counted is forgotten.`,
    yes: isolating ? "Isolate" : "Reset",
    danger: isolating,
    action: async () => {
      if (!token()) return "Write the token.";
      try {
        const response = await fetch(`api/${what}`, { method: "POST", headers: headers(), body: new URLSearchParams({ route: id }) });
        if (response.ok) return "";
        if (response.status === 401) sessionStorage.removeItem("margay-token");
        return response.status === 401 ? "That is not the token." : await response.text();
      } catch {
        return "The server does not answer.";
      }
    },
  });
}

export async function showDetail(id) {
  const response = await fetch(`api/route?id=${encodeURIComponent(id)}`, { headers: headers() }).catch(() => null);
  byId("detail-title").textContent = id;
  byId("detail-values").replaceChildren();
  if (!response || !response.ok) {
    byId("detail-at").textContent = "";
    byId("detail-words").textContent = response ? await response.text() : "The server does not answer.";
    byId("detail-plan").textContent = "";
  } else {
    showRoute(await response.json());
  }
  if (!byId("detail").open) byId("detail").showModal();
}

function showRoute(d) {
  byId("detail-at").textContent = d.at ? `written at ${d.at}` : "";
  byId("detail-words").textContent = d.words.length ? `In words: ${d.words.join(" ")}` : "";
  for (const v of d.values) {
    const tr = element("tr");
    const value = v.value === null ? "–" : typeof v.value === "object" ? JSON.stringify(v.value) : String(v.value);
    tr.append(element("td", v.field), element("td", value), element("td", v.at));
    byId("detail-values").append(tr);
  }
  byId("detail-plan").textContent = JSON.stringify(d.route, null, 2);
}
