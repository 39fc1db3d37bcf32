#include "app/rules.h"

#include "app/json.h"
#include "app/json/knowledge.h"
#include "app/json/values.h"
#include "families/families.h"

namespace zermelo::app {
namespace {

Json as_json(const gdl::Diagnostic& diagnostic, const base::Source& source) {
  const base::Position position = source.position(diagnostic.span.begin);
  return {{"severity", diagnostic.severity == gdl::Severity::error ? "error" : "warning"},
          {"code", diagnostic.code},
          {"line", position.line},
          {"column", position.column},
          {"message", diagnostic.message}};
}

// For a file that could not be read, line and column are 0.
Json as_json(const base::Error& error) {
  return {{"severity", "error"},
          {"code", "unreadable"},
          {"line", 0},
          {"column", 0},
          {"message", error.message}};
}

Json as_json(const CheckedFile& file) {
  Json diagnostics = Json::array();
  if (!file.rules) {
    diagnostics.push_back(as_json(file.rules.error()));
  } else {
    for (const gdl::Diagnostic& diagnostic : file.rules->diagnostics) {
      diagnostics.push_back(as_json(diagnostic, *file.rules->rulesheet->source));
    }
  }
  Json json = {{"file", file.path},
               {"valid", file.rules && file.rules->is_valid()},
               {"diagnostics", diagnostics}};
  if (!file.knowledge) return json;
  if (*file.knowledge) {
    json["knowledge"] = knowledge_json(**file.knowledge);
  } else {
    add_error(json, file.knowledge->error());
  }
  return json;
}

}  // namespace

std::string to_json(const std::vector<CheckedFile>& files) {
  Json list = Json::array();
  for (const CheckedFile& file : files) list.push_back(as_json(file));
  return one_line({{"files", list}});
}

std::string to_json(std::span<const families::Family> families) {
  Json list = Json::array();
  for (const families::Family& family : families) {
    list.push_back({{"name", family.name},
                    {"sizes", family.usage},
                    {"largest", family.largest},
                    {"summary", family.summary}});
  }
  return one_line({{"families", list}});
}

}  // namespace zermelo::app
