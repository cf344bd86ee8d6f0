// What there is to say beside the table.

import { known } from "./table.js";
import { byId, count, element, fill, say, stateWords, time } from "./words.js";

export function headline(s) {
  say(byId("name"), s.name || "margay");
  byId("hint").hidden = s.movable;
  const by = s.plan.ocelot ? `as Ocelot ${s.plan.ocelot} runs it` : "by the documentation";
  fill(byId("plan"), `${count(s.plan.routes, "route")} ${by}, provider ${s.plan.provider}, loaded at `, time(s.reload.loadedAt));
}

// reload tells of a configuration that was refused.
export function reload(r) {
  const notice = byId("reload");
  if (r.error) {
    const words = element("p");
    words.append("The configuration was not reloaded at ", time(r.failedAt), "; the one from ", time(r.loadedAt), " stays in force.");
    const why = element("pre", r.error);
    why.tabIndex = 0; // a long one is scrolled
    fill(notice, words, why);
  } else {
    fill(notice);
  }
  notice.hidden = !r.error;
}

// schemes tells of keys that cannot be fetched.
export function schemes(all) {
  const failing = all.filter((s) => s.error);
  fill(byId("keys"), ...failing.map(keysNotice));
  byId("keys").hidden = !failing.length;
}

function keysNotice(s) {
  const notice = element("div", undefined, s.keys ? "notice" : "notice bad");
  const words = element("p");
  if (s.keys) words.append(`New keys of the scheme ${s.name} cannot be fetched; those from `, time(s.fetchedAt), " serve on.");
  else words.append(`No client of the scheme ${s.name} can be recognised: its keys cannot be fetched.`);
  const last = element("span", undefined, "note");
  last.append("Last tried at ", time(s.failedAt), `: ${s.error}`);
  notice.append(words, last);
  return notice;
}

// tell reads aloud which circuits have changed their state.
export function tell(rows) {
  const moved = rows.filter((row) => {
    const before = known.rows.get(row.id);
    return before && before.circuit && row.circuit && before.circuit.state !== row.circuit.state;
  });
  if (!moved.length) return;
  const words = moved.slice(0, 3).map((row) => `${row.id}: ${stateWords(row.circuit, known.offset)}`);
  if (moved.length > 3) words.push(`and ${moved.length - 3} more circuits have changed`);
  say(byId("news"), words.join("; "));
}
