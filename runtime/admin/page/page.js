// The page follows /api/events: first everything, then what changes.

import { headline, reload, schemes, tell } from "./notices.js";
import { forever } from "./stream.js";
import { arrange, begin, known, update } from "./table.js";

function beside(event) {
  known.offset = Date.parse(event.now) - Date.now();
  reload(event.reload);
  schemes(event.schemes);
}

begin();
forever({
  state(s) {
    known.movable = s.movable;
    known.rows = new Map(s.routes.map((r) => [r.id, r]));
    known.elements.clear();
    beside(s);
    headline(s);
    arrange();
  },
  changes(c) {
    beside(c);
    tell(c.routes);
    update(c.routes);
  },
});
