// The address: #/ for the games, #/rules for the editor, #/game/ID/TAB?s=STEPS for a game.

export interface Place {
  page: "home" | "rules" | "game";
  game: string;
  tab: string;
  steps: string;
}

function read(): Place {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, game = "", tab = "play"] = path.split("/").map(decodeURIComponent);
  const steps = new URLSearchParams(query).get("s") ?? "";
  if (page === "game" && game) return { page: "game", game, tab, steps };
  return { page: page === "rules" ? "rules" : "home", game, tab, steps };
}

export const place = $state<Place>(read());

window.addEventListener("hashchange", () => Object.assign(place, read()));

export function gameLink(game: string, tab = "play", steps = ""): string {
  const query = steps ? `?s=${encodeURIComponent(steps)}` : "";
  return `#/game/${encodeURIComponent(game)}/${tab}${query}`;
}

// Changes the address without a new entry in the browser's history.
export function replaceAddress(link: string) {
  history.replaceState(null, "", link);
}
