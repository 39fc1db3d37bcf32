#include "toss/parser_structure.h"

#include <fmt/format.h>

#include "toss/parser_formula.h"

namespace zermelo::toss {
namespace {

constexpr std::size_t max_picture_cells = 10'000;

bool ends_part(const TokenReader& reader) { return reader.is("|") || reader.is("]"); }

// Reads items until the part ends: nothing, a dash, or items with separators between them.
template <class Item>
void parse_part(TokenReader& reader, std::string_view separator, Item item) {
  if (reader.is("-") && (reader.is("|", 1) || reader.is("]", 1))) reader.next();
  while (!ends_part(reader) && !reader.failed()) {
    item();
    if (!ends_part(reader)) reader.expect(separator);
  }
}

syntax::Tuple parse_tuple(TokenReader& reader) {
  const base::Span first = reader.peek().span;
  std::vector<syntax::Word> elements;
  if (reader.is("(")) {
    elements = parse_names(reader);
  } else {
    elements = {reader.expect_name("an element or a tuple")};
  }
  return {std::move(elements), reader.since(first)};
}

bool accept_separator(TokenReader& reader) { return reader.accept(";") || reader.accept(","); }

std::size_t parse_arity(TokenReader& reader) {
  const base::Span place = reader.peek().span;
  const double arity = reader.expect_number();
  if (arity >= 0 && arity <= 1000 && arity == static_cast<double>(static_cast<int>(arity))) {
    return static_cast<std::size_t>(arity);
  }
  reader.fail("bad-number", place, "an arity is a whole number from 0 to 1000");
  return 0;
}

syntax::Relation parse_relation(TokenReader& reader) {
  syntax::Relation result;
  result.name = reader.expect_name("a relation");
  if (reader.accept(":")) result.arity = parse_arity(reader);
  if (!reader.accept("{")) {
    result.tuples = {parse_tuple(reader)};
    return result;
  }
  while (!reader.is("}") && !reader.failed()) {
    result.tuples.push_back(parse_tuple(reader));
    if (!reader.is("}") && !accept_separator(reader)) reader.unexpected("';' or '}'");
  }
  reader.expect("}");
  return result;
}

std::pair<syntax::Word, double> parse_value(TokenReader& reader) {
  syntax::Word element = reader.expect_name("an element");
  reader.expect("->");
  const double sign = reader.accept("-") ? -1 : 1;
  return {std::move(element), sign * reader.expect_number()};
}

syntax::Function parse_function(TokenReader& reader) {
  syntax::Function result;
  result.name = reader.expect_name("a function");
  reader.expect("{");
  while (!reader.is("}") && !reader.failed()) {
    result.values.push_back(parse_value(reader));
    if (!reader.is("}") && !accept_separator(reader)) reader.unexpected("',' or '}'");
  }
  reader.expect("}");
  return result;
}

// The cells of a picture, a line of it each, from the top.
std::vector<std::vector<std::string>> picture_rows(std::string_view picture) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string cell;
  const auto end_cell = [&] {
    if (!cell.empty()) row.push_back(std::move(cell));
    cell.clear();
  };
  for (const char c : picture) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      end_cell();
    } else {
      cell += c;
    }
    if ((c == '\n' || c == '\r') && !row.empty()) rows.push_back(std::exchange(row, {}));
  }
  end_cell();
  if (!row.empty()) rows.push_back(std::move(row));
  return rows;
}

// a, b, ..., z, aa, ab, ...
std::string column_name(std::size_t column) {
  std::string name;
  for (std::size_t rest = column + 1; rest > 0; rest = (rest - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return name;
}

// Adds the cells of a picture to a structure: column letters and row numbers from the bottom as
// names, R from each cell to the one on its right, C to the one above, x and y from 0, and the
// relations named in the cells.
class PictureCells {
 public:
  PictureCells(syntax::Structure& structure, base::Span span,
               std::vector<std::vector<std::string>> rows)
      : structure_(structure), span_(span), rows_(std::move(rows)) {}

  void add() {
    neighbours_ = {relation("R", 2), relation("C", 2)};
    coordinates_ = {syntax::Function{word("x"), {}}, syntax::Function{word("y"), {}}};
    for (std::size_t y = 0; y < rows_.size(); ++y) {
      for (std::size_t x = 0; x < rows_[y].size(); ++x) add_cell(x, y);
    }
    for (syntax::Relation& relation : neighbours_) structure_.relations.push_back(relation);
    for (syntax::Function& function : coordinates_) structure_.functions.push_back(function);
  }

 private:
  syntax::Word word(std::string text) const { return {std::move(text), span_}; }
  syntax::Word cell(std::size_t x, std::size_t y) const {
    return word(column_name(x) + std::to_string(y + 1));
  }
  static syntax::Relation relation_of(syntax::Word name, std::size_t arity) {
    return {std::move(name), arity, {}};
  }
  syntax::Relation relation(const char* name, std::size_t arity) const {
    return relation_of(word(name), arity);
  }

  void add_cell(std::size_t x, std::size_t y) {
    structure_.elements.push_back(cell(x, y));
    if (x + 1 < rows_[y].size()) add_pair(0, cell(x, y), cell(x + 1, y));
    if (y + 1 < rows_.size()) add_pair(1, cell(x, y), cell(x, y + 1));
    coordinates_[0].values.push_back({cell(x, y), static_cast<double>(x)});
    coordinates_[1].values.push_back({cell(x, y), static_cast<double>(y)});
    const std::string& content = rows_[rows_.size() - 1 - y][x];
    if (content == ".") return;
    structure_.relations.push_back({word(content), 1, {{{cell(x, y)}, span_}}});
  }

  void add_pair(std::size_t relation, syntax::Word a, syntax::Word b) {
    neighbours_[relation].tuples.push_back({{std::move(a), std::move(b)}, span_});
  }

  syntax::Structure& structure_;
  base::Span span_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<syntax::Relation> neighbours_;
  std::vector<syntax::Function> coordinates_;
};

bool is_cell(const std::string& text) { return text == "." || is_name(text); }

void parse_picture(TokenReader& reader, syntax::Structure& structure) {
  const Token token = reader.next();
  std::vector<std::vector<std::string>> rows = picture_rows(token.text);
  std::size_t cells = 0;
  for (const auto& row : rows) {
    cells += row.size();
    if (row.size() != rows[0].size()) {
      reader.fail("bad-picture", token.span, "the lines of a picture must have as many cells each");
    }
    for (const std::string& cell : row) {
      if (!is_cell(cell)) {
        reader.fail("bad-picture", token.span,
                    "a cell of a picture is a dot or the name of a relation");
      }
    }
  }
  if (cells > max_picture_cells)
    reader.fail("bad-picture", token.span, "this picture is too large");
  if (!reader.failed()) PictureCells(structure, token.span, std::move(rows)).add();
}

}  // namespace

syntax::Structure parse_structure(TokenReader& reader) {
  syntax::Structure result;
  const base::Span first = reader.peek().span;
  reader.expect("[");
  parse_part(reader, ",", [&] { result.elements.push_back(reader.expect_name("an element")); });
  if (reader.accept("|")) {
    parse_part(reader, ";", [&] { result.relations.push_back(parse_relation(reader)); });
  }
  if (reader.accept("|")) {
    parse_part(reader, ";", [&] { result.functions.push_back(parse_function(reader)); });
  }
  reader.expect("]");
  result.span = reader.since(first);
  if (reader.peek().kind == Token::Kind::picture) parse_picture(reader, result);
  return result;
}

}  // namespace zermelo::toss
