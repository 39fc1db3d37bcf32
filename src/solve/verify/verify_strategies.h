// Checks the stored strategies of a game with hidden information by best responses.
#pragma once

#include "base/result.h"
#include "solve/folder/strategy_folder.h"
#include "solve/verify/verify.h"

namespace zermelo::solve {

// What `verify` does for a folder with strategies.
base::Result<Verification> verify_strategies(const StrategyFolder& folder,
                                             const VerifyOptions& options);

}  // namespace zermelo::solve
