// Rules and JSON for the tests of this module.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/context.h"
#include "app/rules.h"
#include "solve/stored_game.h"

namespace zermelo::app {

inline Rules shipped(const std::string& name) {
  return read_rules(ZERMELO_ROOT "/games/" + name + ".kif").value();
}

inline Rules generated(const std::string& family, const std::vector<std::string>& sizes) {
  const std::string text = generate({family, sizes}).value();
  return gdl::read_rules(std::make_shared<const base::Source>(family, text)).value();
}

// The only line of a text, parsed.
inline nlohmann::json parsed(const std::string& text) {
  EXPECT_EQ(text.find('\n'), std::string::npos);
  return nlohmann::json::parse(text);
}

// A context that is cancelled before the request begins.
inline Context cancelled() {
  std::stop_source source;
  source.request_stop();
  return {{}, source.get_token()};
}

using solve::TemporaryFolder;

// A file of that name in the folder, which is made.
inline std::string file_in(const TemporaryFolder& folder, const std::string& name) {
  std::filesystem::create_directories(folder.path());
  return (folder.path() / name).string();
}

}  // namespace zermelo::app
