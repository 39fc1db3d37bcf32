// What players know, as JSON of `check` and `info`.
#pragma once

#include "app/json/values.h"
#include "know/knowledge.h"

namespace zermelo::app {

Json knowledge_json(const know::KnowledgeProperties& found);

}  // namespace zermelo::app
