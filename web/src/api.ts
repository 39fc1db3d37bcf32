// The JSON interface of the server: /api/v1, described in openapi.json.

export type Outcome = "win" | "draw" | "lose" | "endless";
export type Step = (string | null)[];

export interface Value {
  rewards: number[] | null;
  distance: number | null;
  outcomes: Outcome[];
}

export interface Move {
  role: string;
  move: string;
  cells: string[];
  value: Value | null;
  delta: number | null;
  keeps_value: boolean | null;
  best: boolean | null;
}

export interface Position {
  roles: string[];
  history: string[][];
  position: string[];
  terminal: boolean;
  goals: number[] | null;
  deciding: string[];
  moves: Move[];
  solved: boolean;
  value: Value | null;
  line: string[];
  svg: string;
}

export interface Job {
  id: number;
  game: string;
  state: "queued" | "running" | "solved" | "failed" | "cancelled";
  progress: string;
  error?: { kind: string; message: string };
  result: SolveResult | null;
}

export interface SolveResult {
  roles: string[];
  values: number[] | null;
  distance: number | null;
  states: string;
  by_value: { values: number[] | null; states: string }[];
  engine: string;
  algorithm: string;
  seconds: number;
}

export interface GameEntry {
  id: string;
  title: string;
  summary: string;
}

export interface Game extends GameEntry {
  rules: string;
  roles: string[];
  grounded: boolean;
  solved: boolean;
  job: Job | null;
}

export interface Family {
  name: string;
  sizes: string;
  largest: string;
  summary: string;
}

export interface Diagnostic {
  severity: "error" | "warning";
  code: string;
  message: string;
  begin: { line: number; column: number; offset: number };
  end: { line: number; column: number; offset: number };
}

export interface ValueHistory {
  roles: string[];
  solved: boolean;
  steps: { value: Value | null; loss: (number | null)[] }[];
}

export interface Puzzle {
  history: string[][];
  role: string;
  outcome: Outcome;
  distance: number | null;
  moves: number;
  surprise: number;
}

export interface SearchView {
  role: string;
  simulations: number;
  seconds: number;
  mean: number;
  exact: number[] | null;
  moves: { move: string; visits: number; mean: number; exact: number[] | null }[];
  line: string[];
}

export interface LayerEvent {
  type: "layer";
  direction: "forward" | "backward";
  layer: number;
  layers: number;
  states: string;
  nodes: number;
  forecast?: { layers: number; seconds: number; disk_bytes: number; peak_bytes: number };
}

export interface JudgedRecord {
  match_id: string;
  roles: string[];
  players: string[];
  fits: boolean;
  problem: string;
  history: string[][];
  values: ValueHistory;
}

export class ApiError extends Error {
  constructor(
    public status: number,
    message: string,
  ) {
    super(message);
  }
}

const root = "/api/v1";

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(root + path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, "The server cannot be reached.");
  }
  const json = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, json.error?.message ?? "The request failed.");
  return json as T;
}

const of = (game: string) => `/games/${encodeURIComponent(game)}`;

export const api = {
  games: () => send<{ games: GameEntry[]; families: Family[] }>("GET", "/games"),
  game: (id: string) => send<Game>("GET", of(id)),
  add: (rules: string) => send<{ id: string; rules: string }>("POST", "/games", { rules }),
  generate: (family: string, sizes: string[]) =>
    send<{ id: string; rules: string }>("POST", "/generate", { family, sizes }),
  check: (rules: string) =>
    send<{ valid: boolean; diagnostics: Diagnostic[] }>("POST", "/check", { rules }),
  position: (id: string, steps: Step[], line = false) =>
    send<Position>("POST", `${of(id)}/position`, { steps, line }),
  apply: (id: string, steps: Step[], moves: Record<string, string>) =>
    send<Position>("POST", `${of(id)}/apply`, { steps, moves }),
  values: (id: string, steps: Step[]) => send<ValueHistory>("POST", `${of(id)}/values`, { steps }),
  play: (id: string, steps: Step[], role: string, agent: string, seconds: number, simulations?: number) =>
    send<{ role: string; move: string }>("POST", `${of(id)}/play`, {
      steps,
      role,
      agent,
      seconds,
      ...(simulations ? { simulations } : {}),
    }),
  solve: (id: string) => send<Job>("POST", `${of(id)}/solve`, {}),
  cancel: (job: number) => send<Job>("DELETE", `/jobs/${job}`),
  puzzles: (id: string) => send<{ puzzles: Puzzle[] }>("GET", `${of(id)}/puzzles?count=24`),
  inside: (id: string) => send<Record<string, any>>("GET", `${of(id)}/inside`),
  judge: (id: string, record: unknown) => send<JudgedRecord>("POST", `${of(id)}/records`, record),
  record: (id: string, steps: Step[], players: string[]) =>
    send<Record<string, unknown>>("POST", `${of(id)}/record`, { steps, players }),
  picture: (id: string) => `${root}${of(id)}/picture.svg`,
  translation: (id: string, language: string) => `${root}${of(id)}/translations/${language}`,
};

// Follows server-sent events until their end; returns a function that stops following.
function follow<T>(path: string, onEvent: (event: T) => void, onEnd: () => void): () => void {
  const source = new EventSource(root + path);
  const end = () => {
    source.close();
    onEnd();
  };
  source.onmessage = (message) => onEvent(JSON.parse(message.data) as T);
  source.addEventListener("end", end);
  source.onerror = end;
  return () => source.close();
}

export type JobEvent =
  | LayerEvent
  | { type: "state"; state: Job["state"]; error?: { message: string }; result?: SolveResult };

export const followJob = (job: number, onEvent: (event: JobEvent) => void, onEnd: () => void) =>
  follow<JobEvent>(`/jobs/${job}/events`, onEvent, onEnd);

export const followSearch = (
  id: string,
  steps: Step[],
  seconds: number,
  onEvent: (view: SearchView) => void,
  onEnd: () => void,
) =>
  follow<SearchView>(
    `${of(id)}/analyse?seconds=${seconds}&steps=${encodeURIComponent(JSON.stringify(steps))}`,
    onEvent,
    onEnd,
  );
