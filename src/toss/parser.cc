#include "toss/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "toss/parser_formula.h"
#include "toss/parser_structure.h"
#include "toss/resolve.h"

namespace zermelo::toss {
namespace {

constexpr std::size_t max_problems = 100;

class GameParser {
 public:
  explicit GameParser(TokenReader& reader) : reader_(reader) {}

  syntax::Game run() {
    while (!reader_.at_end()) {
      parse_part();
      reader_.resume();
    }
    game_.end = reader_.end_span();
    return std::move(game_);
  }

 private:
  void parse_part() {
    const base::Span place = reader_.peek().span;
    if (reader_.accept("PLAYERS")) return parse_players();
    if (reader_.accept("REL")) return parse_definition();
    if (reader_.accept("RULE")) return parse_rule();
    if (reader_.accept("LOC")) return parse_location();
    if (reader_.accept("START")) return parse_state(game_.start, place, "START");
    if (reader_.accept("MODEL")) return parse_state(game_.model, place, "MODEL");
    reader_.unexpected("PLAYERS, REL, RULE, LOC, START or MODEL");
  }

  void parse_players() {
    do game_.players.push_back(reader_.expect_name("a player"));
    while (reader_.accept(","));
  }

  void parse_definition() {
    syntax::Definition result;
    result.name = reader_.expect_name("the name of a relation");
    result.parameters = parse_names(reader_);
    reader_.expect("=");
    result.body = parse_formula(reader_);
    if (!reader_.failed()) game_.definitions.push_back(std::move(result));
  }

  void parse_rule() {
    syntax::Rule result;
    result.name = reader_.expect_name("the name of a rule");
    reader_.expect(":");
    result.left = parse_structure(reader_);
    reader_.expect("->");
    result.right = parse_structure(reader_);
    while (parse_clause(result)) {
    }
    if (!reader_.failed()) game_.rules.push_back(std::move(result));
  }

  // with, emb, pre or post.
  bool parse_clause(syntax::Rule& rule) {
    const base::Span place = reader_.peek().span;
    if (reader_.accept("with")) {
      if (rule.correspondence) repeated(place);
      rule.correspondence = parse_correspondence();
    } else if (reader_.accept("emb")) {
      if (!rule.embedded.empty()) repeated(place);
      do rule.embedded.push_back(reader_.expect_name("a relation"));
      while (reader_.accept(","));
    } else if (reader_.accept("pre")) {
      if (rule.pre) repeated(place);
      rule.pre = parse_formula(reader_);
    } else if (reader_.accept("post")) {
      if (rule.post) repeated(place);
      rule.post = parse_formula(reader_);
    } else {
      return false;
    }
    return true;
  }

  void repeated(base::Span place) {
    reader_.fail("repeated-part", place, "this part stands here a second time");
  }

  std::vector<std::pair<syntax::Word, syntax::Word>> parse_correspondence() {
    std::vector<std::pair<syntax::Word, syntax::Word>> result;
    reader_.expect("[");
    while (!reader_.is("]") && !reader_.failed()) {
      syntax::Word right = reader_.expect_name("an element of the right side");
      reader_.expect("<-");
      result.emplace_back(std::move(right), reader_.expect_name("an element of the left side"));
      if (!reader_.is("]")) reader_.expect(",");
    }
    reader_.expect("]");
    return result;
  }

  syntax::Word expect_location() {
    const Token token = reader_.peek();
    reader_.expect_number();
    if (token.text.find_first_not_of("0123456789") != std::string_view::npos ||
        token.text.size() > 9) {
      reader_.fail("bad-number", token.span, "a location is a whole number of at most 9 digits");
    }
    return {std::to_string(std::strtoul(std::string(token.text).c_str(), nullptr, 10)), token.span};
  }

  void parse_location() {
    syntax::Location result;
    result.number = expect_location();
    reader_.expect("{");
    std::optional<syntax::Word> mover;  // of the dialect without a block per player
    while (!reader_.is("}") && !reader_.failed()) parse_location_item(result, mover);
    reader_.expect("}");
    if (!reader_.failed()) game_.locations.push_back(std::move(result));
  }

  void parse_location_item(syntax::Location& location, std::optional<syntax::Word>& mover) {
    const base::Span place = reader_.peek().span;
    if (reader_.accept("PLAYER")) {
      syntax::Word player = reader_.expect_name("a player");
      if (reader_.is("{")) {
        location.parts.push_back(parse_player_block(std::move(player)));
      } else {
        mover = std::move(player);
      }
    } else if (reader_.accept("PAYOFF")) {
      parse_payoffs(location);
    } else if (reader_.is("MOVES") && !mover) {
      reader_.fail("moves-of-nobody", place, "PLAYER must say whose moves these are");
    } else if (reader_.accept("MOVES")) {
      location.parts.push_back({*mover, nullptr, parse_moves()});
    } else {
      reader_.unexpected("PLAYER, PAYOFF, MOVES or '}'");
    }
  }

  syntax::PlayerPart parse_player_block(syntax::Word player) {
    syntax::PlayerPart result{std::move(player), nullptr, {}};
    reader_.expect("{");
    while (!reader_.is("}") && !reader_.failed()) {
      const base::Span place = reader_.peek().span;
      if (reader_.accept("PAYOFF")) {
        if (result.payoff) repeated(place);
        result.payoff = parse_term(reader_);
      } else if (reader_.accept("MOVES")) {
        for (syntax::Edge& edge : parse_moves()) result.moves.push_back(std::move(edge));
      } else {
        reader_.unexpected("PAYOFF, MOVES or '}'");
      }
    }
    reader_.expect("}");
    return result;
  }

  void parse_payoffs(syntax::Location& location) {
    reader_.expect("{");
    while (!reader_.is("}") && !reader_.failed()) {
      syntax::Word player = reader_.expect_name("a player");
      reader_.expect(":");
      location.parts.push_back({std::move(player), parse_term(reader_), {}});
      if (!reader_.is("}")) reader_.expect(";");
    }
    reader_.expect("}");
  }

  // Lists of edges, [A -> 1; B -> 2], several of them with or without separators.
  std::vector<syntax::Edge> parse_moves() {
    std::vector<syntax::Edge> result;
    do {
      reader_.expect("[");
      while (!reader_.is("]") && !reader_.failed()) {
        syntax::Word rule = reader_.expect_name("a rule");
        reader_.expect("->");
        result.push_back({std::move(rule), expect_location()});
        if (!reader_.is("]") && !separator()) reader_.unexpected("';' or ']'");
      }
      reader_.expect("]");
      separator();
    } while (reader_.is("["));
    return result;
  }

  bool separator() { return reader_.accept(";") || reader_.accept(","); }

  void parse_state(std::optional<syntax::Structure>& place, base::Span span, const char* word) {
    if (place) {
      reader_.fail("repeated-part", span, fmt::format("{} stands here a second time", word));
    }
    syntax::Structure structure = parse_structure(reader_);
    if (!reader_.failed()) place = std::move(structure);
  }

  TokenReader& reader_;
  syntax::Game game_;
};

// Keeps the first problems; among too many, warnings are dropped first.
void shorten(std::vector<base::Diagnostic>& diagnostics) {
  if (diagnostics.size() <= max_problems) return;
  std::stable_partition(diagnostics.begin(), diagnostics.end(), [](const base::Diagnostic& d) {
    return d.severity == base::Severity::error;
  });
  diagnostics.resize(max_problems);
}

}  // namespace

ParseResult parse(const base::Source& source) {
  TokenReader reader(tokenize(source));
  const syntax::Game game = GameParser(reader).run();
  ParseResult result;
  result.diagnostics = std::move(reader.diagnostics());
  if (!base::has_errors(result.diagnostics)) {
    Resolved resolved = resolve(game);
    result.game = std::move(resolved.game);
    result.diagnostics = std::move(resolved.diagnostics);
  }
  shorten(result.diagnostics);
  return result;
}

bool looks_like_toss(const base::Source& source) {
  const auto tokens = tokenize(source).tokens;
  return !tokens.empty() && tokens.front().kind == Token::Kind::name &&
         begins_part(tokens.front().text);
}

}  // namespace zermelo::toss
