// Values and moves in words.
import type { Move, Outcome, Step, Value } from "./api";

export const shape: Record<Outcome, string> = { win: "▲", draw: "■", lose: "▼", endless: "∞" };

const verbs: Record<Outcome, string> = {
  win: "wins",
  draw: "draws",
  lose: "loses",
  endless: "never ends",
};

// "(mark 1 2)" as "mark 1 2".
export const plain = (term: string) => term.replace(/^\((.*)\)$/, "$1");

export const grouped = (digits: string | number) =>
  String(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

// What the value is for one role. `more` moves are made before the value is reached.
export function valueWords(value: Value, role: number, more = 0): string {
  const outcome = value.outcomes[role];
  const alone = value.outcomes.length === 1;
  const rewards = value.rewards;
  let text = verbs[outcome];
  if (alone && rewards) text = `reaches ${rewards[0]}`;
  else if (rewards && value.outcomes.length > 2) text = `gets ${rewards[role]}`;
  const counts = alone || outcome === "win" || outcome === "lose";
  if (counts && value.distance !== null) text += ` in ${value.distance + more}`;
  return text;
}

// How much worse the move is than the best one.
export function worseWords(move: Move, best: Move | undefined, role: number): string {
  if (!move.value || move.best || !best?.value) return "";
  if (move.value.outcomes[role] !== best.value.outcomes[role]) return "";
  if (!move.delta) return "";
  return move.value.outcomes[role] === "lose" ? `${move.delta} sooner` : `${move.delta} slower`;
}

// Steps in a link. Moves that are forced are left out.
export const encodeSteps = (steps: Step[]) =>
  steps.map((step) => step.map((move) => (move === null ? "" : plain(move))).join("~")).join("!");

export const decodeSteps = (text: string): Step[] =>
  text === ""
    ? []
    : text.split("!").map((step) =>
        step.split("~").map((move) => (move === "" ? null : move.includes(" ") ? `(${move})` : move)),
      );
