% Random games on the clauses that gdl_to_prolog.py makes. The state is a set of p_true facts, the
% joint move a set of p_does facts, both asserted and retracted at every step.

% Plays games until Seconds have passed, the last one to its end, and prints
% "PLAYOUTS STEPS STUCK SECONDS SEED".
benchmark(Seconds, Seed) :-
    set_random(seed(Seed)),
    findall(Fluent, p_init(Fluent), Fluents),
    sort(Fluents, Initial),
    findall(Role, p_role(Role), Roles),
    get_time(Begin),
    End is Begin + Seconds,
    play_until(End, Initial, Roles, counts(0, 0, 0), counts(Playouts, Steps, Stuck)),
    get_time(Now),
    Taken is Now - Begin,
    format("~w ~w ~w ~6f ~w~n", [Playouts, Steps, Stuck, Taken, Seed]).

play_until(End, _, _, Counts, Counts) :-
    Counts = counts(Playouts, _, Stuck),
    Playouts + Stuck > 0,
    get_time(Now),
    Now >= End,
    !.
play_until(End, Initial, Roles, Counts, Result) :-
    set_state(Initial),
    play(Roles, 0, Depth, Outcome),
    count(Outcome, Depth, Counts, Counted),
    play_until(End, Initial, Roles, Counted, Result).

count(over, Depth, counts(Playouts, Steps, Stuck), counts(Playouts1, Steps1, Stuck)) :-
    Playouts1 is Playouts + 1,
    Steps1 is Steps + Depth.
count(stuck, _, counts(Playouts, Steps, Stuck), counts(Playouts, Steps, Stuck1)) :-
    Stuck1 is Stuck + 1.

set_state(Fluents) :-
    retractall(p_true(_)),
    forall(member(Fluent, Fluents), assertz(p_true(Fluent))).

play(Roles, Depth, Depth, over) :-
    p_terminal,
    !,
    forall(member(Role, Roles), findall(Value, p_goal(Role, Value), _)).
play(Roles, Depth, Result, Outcome) :-
    choose_all(Roles, Moves),
    !,
    step(Moves),
    Depth1 is Depth + 1,
    play(Roles, Depth1, Result, Outcome).
play(_, Depth, Depth, stuck).

choose_all([], []).
choose_all([Role | Roles], [p_does(Role, Move) | Moves]) :-
    findall(Legal, p_legal(Role, Legal), Found),
    sort(Found, Legals),
    Legals = [_ | _],
    random_member(Move, Legals),
    choose_all(Roles, Moves).

step(Moves) :-
    forall(member(Does, Moves), assertz(Does)),
    findall(Fluent, p_next(Fluent), Found),
    sort(Found, Fluents),
    retractall(p_does(_, _)),
    set_state(Fluents).
