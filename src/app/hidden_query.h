// Questions about a stored solution of a game with hidden information.
#pragma once

#include "app/query.h"
#include "base/limits.h"
#include "base/result.h"

namespace zermelo::app {

// What `query` does for a folder with strategies. Answers with the decisions of the players after
// the moves of the request, or of one role after what it did and saw.
base::Result<QueryResult> query_strategies(const QueryRequest& request, const base::Limits& limits);

}  // namespace zermelo::app
