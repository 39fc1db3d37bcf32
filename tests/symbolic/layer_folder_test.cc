// Layers on disk: a search goes on from what is whole, redoes what is not, and believes nothing.
#include "symbolic/layer_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "dd/file.h"
#include "support/load_game.h"

namespace zermelo::symbolic {
namespace {

using base::ErrorKind;
using testing::from_text;
using testing::generated;
using testing::MachinePointer;
using testing::shipped;

Model default_model_of(const MachinePointer& machine) {
  return build_model(machine, find_encoding(machine)).value();
}

std::vector<Variable> backwards(const Encoding& encoding) {
  std::vector<std::size_t> order(encoding.variables().size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = order.size() - 1 - v;
  return encoding.reordered(order).variables();
}

template <class T>
void expect_error(const base::Result<T>& result, ErrorKind kind, const std::string& message) {
  ASSERT_FALSE(result) << message;
  EXPECT_EQ(result.error().kind, kind) << result.error().message;
  EXPECT_NE(result.error().message.find(message), std::string::npos) << result.error().message;
}

class LayersInFolder : public ::testing::Test {
 protected:
  LayersInFolder() { std::filesystem::remove_all(folder_); }
  ~LayersInFolder() override { std::filesystem::remove_all(folder_); }

  LayersOptions options(std::size_t max_layers) const {
    return {.max_layers = max_layers, .folder = folder_};
  }
  std::filesystem::path layer(std::size_t k) const {
    return folder_ / fmt::format("layer-{:04}.zdd", k);
  }
  std::string read(const char* name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary | std::ios::trunc) << text;
  }
  // The numbers of the layers that a search has to find until it is complete.
  std::vector<std::size_t> found_anew(const Model& model, const mpz_class& states) const {
    std::vector<std::size_t> found;
    LayersOptions all = options(100);
    all.progress = [&](const LayerStatistics& statistics) { found.push_back(statistics.layer); };
    const auto layers = find_layers(model, all);
    EXPECT_TRUE(layers) << layers.error().message;
    if (!layers) return {};
    EXPECT_TRUE(layers->complete);
    EXPECT_EQ(layers->states(), states);
    return found;
  }

  std::filesystem::path folder_ =  // where syncing costs nothing
      (std::filesystem::exists("/dev/shm") ? std::filesystem::path("/dev/shm")
                                           : std::filesystem::temp_directory_path()) /
      ("zermelo_layers_" + std::to_string(getpid()));
};

using Numbers = std::vector<std::size_t>;

// One game whose layers are known to be disjoint and one whose are not.
TEST_F(LayersInFolder, GoOnWhereTheyStopped) {
  for (const char* name : {"tic_tac_toe", "buttons", "nim"}) {
    SCOPED_TRACE(name);
    std::filesystem::remove_all(folder_);
    const Model model = default_model_of(shipped(name));
    const Layers whole = find_layers(model).value();
    ASSERT_TRUE(whole.complete);
    Layers stored;
    for (std::size_t most = 1; most <= whole.diagrams.size() + 1; ++most) {
      stored = find_layers(model, options(most)).value();
      EXPECT_EQ(stored.statistics.size(), std::min(most, whole.diagrams.size()));
    }
    EXPECT_TRUE(stored.complete);
    EXPECT_EQ(stored.states(), whole.states());
    EXPECT_EQ(stored.terminal_states(), whole.terminal_states());
    EXPECT_EQ(found_anew(model, whole.states()), Numbers());
  }
}

TEST_F(LayersInFolder, AnUnlistedLayerIsMadeAgain) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  write("layer-0004.zdd", "half a file");
  write("layer-0005.zdd.part123", "half a file");
  write("layers.txt.part", "half a list");
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{4, 5, 6, 7, 8, 9}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "layer-0005.zdd.part123"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "layers.txt.part"));
}

TEST_F(LayersInFolder, ADamagedLastLayerIsMadeAgain) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  std::filesystem::resize_file(layer(3), 20);
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(LayersInFolder, ALostLayerIsMadeAgainInACompleteFolder) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(100)).value().complete);
  std::filesystem::remove(layer(7));
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{7, 8, 9}));
  EXPECT_TRUE(std::filesystem::exists(layer(7)));
  EXPECT_EQ(found_anew(model, 5'478), Numbers());
}

// Even where all checksums are right, a diagram over other variables is not taken.
TEST_F(LayersInFolder, ALayerOfAnotherGameIsMadeAgain) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  const std::filesystem::path other = folder_.string() + "_other";
  ASSERT_TRUE(find_layers(default_model_of(shipped("nim")), {.folder = other}));
  for (const bool is_forged : {false, true}) {
    std::filesystem::remove_all(folder_);
    ASSERT_TRUE(find_layers(model, options(5)));
    const std::uint64_t right = dd::file_checksum(layer(4)).value();
    std::filesystem::copy_file(other / "layer-0004.zdd", layer(4),
                               std::filesystem::copy_options::overwrite_existing);
    if (is_forged) {
      std::string list = read("layers.txt");
      list.resize(list.size() - 17);
      const std::uint64_t wrong = dd::file_checksum(layer(4)).value();
      list.replace(list.find(fmt::format("{:016x}", right)), 16, fmt::format("{:016x}", wrong));
      list += fmt::format("{:016x}\n", dd::checksum(list.data(), list.size()));
      write("layers.txt", list);
    }
    EXPECT_EQ(found_anew(model, 5'478), (Numbers{4, 5, 6, 7, 8, 9}));
  }
  std::filesystem::remove_all(other);
}

TEST_F(LayersInFolder, AnEditedListIsAnError) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  const std::string list = read("layers.txt");
  for (std::size_t at = 0; at < list.size(); ++at) {
    std::string edited = list;
    edited[at] = static_cast<char>(edited[at] ^ 1);
    write("layers.txt", edited);
    expect_error(find_layers(model, options(100)), ErrorKind::unreadable_input, "layers.txt' ");
  }
  std::string fewer_states = list;  // layer 1 has 9
  fewer_states.replace(fewer_states.find("\n1 9 "), 5, "\n1 8 ");
  write("layers.txt", fewer_states);
  expect_error(find_layers(model, options(100)), ErrorKind::unreadable_input,
               "layers.txt' is damaged; remove the folder '" + folder_.string() + "'");
  write("layers.txt", list.substr(0, 30));
  expect_error(find_layers(model, options(100)), ErrorKind::unreadable_input, "is damaged");
  write("layers.txt", list);
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{4, 5, 6, 7, 8, 9}));
}

TEST_F(LayersInFolder, OfAnOlderVersionAreErrors) {
  const MachinePointer machine = shipped("tic_tac_toe");
  std::filesystem::create_directories(folder_);
  write("layers.txt", "zermelo layers 3\n536bf5cd86402047 0 1 1 0\n");
  expect_error(find_layers(default_model_of(machine), options(100)), ErrorKind::unreadable_input,
               "another version");
  expect_error(load_variables(folder_, machine->game()), ErrorKind::unreadable_input,
               "another version");
}

TEST_F(LayersInFolder, OfOtherThingsAreErrors) {
  const MachinePointer machine = shipped("tic_tac_toe");
  std::filesystem::create_directories(folder_);
  write("variables.txt.part", "half a list");
  EXPECT_TRUE(load_variables(folder_, machine->game()));
  write("rules.kif", "(role robot)");
  expect_error(load_variables(folder_, machine->game()), ErrorKind::not_applicable,
               "neither empty nor a folder of layers");
  expect_error(find_layers(default_model_of(machine), options(100)), ErrorKind::not_applicable,
               "neither empty nor a folder of layers");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "rules.kif"));
}

TEST_F(LayersInFolder, OfAnotherSearchAreErrors) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  expect_error(find_layers(default_model_of(shipped("nim")), options(100)),
               ErrorKind::not_applicable, "other rules or another search");
  LayersOptions all = options(100);
  all.only_new = false;
  expect_error(find_layers(model, all), ErrorKind::not_applicable, "another search");
}

TEST_F(LayersInFolder, RememberTheirVariables) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const ground::Game& game = machine->game();
  EXPECT_FALSE(load_variables(folder_, game).value());
  const std::vector<Variable> variables = backwards(find_encoding(machine));
  ASSERT_TRUE(save_variables(folder_, game, {"backwards", variables}));
  const Model model = build_model(machine, Encoding(game, find_clock(game), variables)).value();
  ASSERT_TRUE(find_layers(model, options(4)));
  const VariableList list = load_variables(folder_, game).value().value();
  EXPECT_EQ(list.origin, "backwards");
  ASSERT_EQ(list.variables.size(), variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    EXPECT_EQ(list.variables[v].fluents, variables[v].fluents);
    EXPECT_EQ(list.variables[v].may_be_none, variables[v].may_be_none);
  }
  expect_error(load_variables(folder_, shipped("nim")->game()), ErrorKind::not_applicable,
               "other rules");
}

std::string with_two_lines_joined(std::string variables) {
  variables[variables.rfind('\n', variables.size() - 2)] = '\t';
  return variables;
}

TEST_F(LayersInFolder, EditedVariablesAreAnError) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const Encoding encoding = find_encoding(machine);
  ASSERT_TRUE(save_variables(folder_, machine->game(), {"as listed", encoding.variables()}));
  const Model model = build_model(machine, encoding).value();
  ASSERT_TRUE(find_layers(model, options(4)));
  const std::string variables = read("variables.txt");
  for (const std::string& edited :
       {with_two_lines_joined(variables), variables.substr(0, 60), std::string()}) {
    write("variables.txt", edited);
    expect_error(load_variables(folder_, machine->game()), ErrorKind::unreadable_input,
                 "variables.txt' is damaged");
    expect_error(find_layers(model, options(100)), ErrorKind::unreadable_input,
                 "variables.txt' is damaged");
  }
  std::filesystem::remove(folder_ / "variables.txt");
  expect_error(load_variables(folder_, machine->game()), ErrorKind::unreadable_input,
               "variables.txt' is missing; remove the folder");
  write("variables.txt", variables);
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{4, 5, 6, 7, 8, 9}));
}

// They may be of other rules, or of play that ends earlier, and finding them again costs little.
TEST_F(LayersInFolder, VariablesWithoutLayersAreFoundAnew) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const Encoding encoding = find_encoding(machine);
  ASSERT_TRUE(save_variables(folder_, machine->game(), {"as listed", encoding.variables()}));
  write("variables.txt", with_two_lines_joined(read("variables.txt")));
  const auto loaded = load_variables(folder_, machine->game());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE(*loaded);
  ASSERT_TRUE(save_variables(folder_, machine->game(), {"as listed", encoding.variables()}));
  EXPECT_EQ(found_anew(build_model(machine, encoding).value(), 5'478).size(), 10u);
}

TEST_F(LayersInFolder, ASecondRunIsRefused) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const ground::Game& game = machine->game();
  const Model model = default_model_of(machine);
  ASSERT_TRUE(find_layers(model, options(4)));
  write("layer-0004.zdd.part123", "of the other run");
  {
    const auto first = dd::FolderLock::take(folder_);
    ASSERT_TRUE(first);
    const char* const refusal = "another run writes to";
    expect_error(find_layers(model, options(100)), ErrorKind::not_applicable, refusal);
    expect_error(load_variables(folder_, game), ErrorKind::not_applicable, refusal);
    expect_error(save_variables(folder_, game, {"", model.encoding().variables()}),
                 ErrorKind::not_applicable, refusal);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "layer-0004.zdd.part123"));
  }
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{4, 5, 6, 7, 8, 9}));
}

TEST_F(LayersInFolder, ARunIsRefusedWhileItSearches) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  LayersOptions all = options(100);
  std::size_t refused = 0;
  all.progress = [&](const LayerStatistics&) { refused += !find_layers(model, options(100)); };
  EXPECT_EQ(find_layers(model, all).value().states(), 5'478);
  EXPECT_EQ(refused, 10u);
}

// Two runs that begin at the same time both find that there are no variables yet.
TEST_F(LayersInFolder, VariablesOfAnotherRunInTheMeantimeAreAnError) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const Model model = default_model_of(machine);
  const VariableList ours = {"as listed", model.encoding().variables()};
  ASSERT_TRUE(save_variables(folder_, machine->game(), ours));
  ASSERT_TRUE(save_variables(folder_, machine->game(), {"other", backwards(model.encoding())}));
  expect_error(find_layers(model, options(100)), ErrorKind::not_applicable,
               "another run writes to");
  ASSERT_TRUE(save_variables(folder_, machine->game(), ours));
  ASSERT_TRUE(find_layers(model, options(4)));
  expect_error(save_variables(folder_, machine->game(), ours), ErrorKind::not_applicable,
               "another run writes to");
}

// Layers that are not known to be disjoint are united when a folder is taken up.
TEST_F(LayersInFolder, ALimitWhileTheyAreTakenUpKeepsThem) {
  const Model model = default_model_of(generated("hanoi", {"4", "3", "unlimited"}));
  const Layers before = find_layers(model, options(4)).value();
  LayersOptions limited = options(100);
  limited.diagrams.limits.end_when([] { return true; });
  const auto stopped = find_layers(model, limited);
  ASSERT_TRUE(stopped) << stopped.error().message;
  ASSERT_TRUE(stopped->stopped);
  EXPECT_EQ(stopped->stopped->kind, ErrorKind::time_limit);
  EXPECT_FALSE(stopped->complete);
  EXPECT_EQ(stopped->statistics.size(), 4u);
  EXPECT_EQ(stopped->states(), before.states());
  EXPECT_EQ(find_layers(model, options(100)).value().states(), 81);
}

TEST_F(LayersInFolder, AFailedWriteEndsTheSearchAtOnce) {
  const Model model = default_model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  std::filesystem::create_directory(layer(4));  // in the way of the file
  std::size_t asked = 0, asked_before = 0;      // for limits; until the last layer was counted
  LayersOptions all = options(100);
  all.progress = [&](const LayerStatistics&) { asked_before = asked; };
  all.diagrams.limits.end_when([&] {
    ++asked;
    return false;
  });
  const auto failed = find_layers(model, all);
  ASSERT_TRUE(failed) << failed.error().message;
  ASSERT_TRUE(failed->stopped);
  EXPECT_EQ(failed->stopped->kind, ErrorKind::unwritable_output);
  EXPECT_FALSE(failed->complete);
  EXPECT_EQ(failed->statistics.size(), 5u);
  EXPECT_GT(asked, 0u);
  EXPECT_EQ(asked, asked_before);
  std::filesystem::remove(layer(4));
  EXPECT_EQ(found_anew(model, 5'478), (Numbers{4, 5, 6, 7, 8, 9}));
}

TEST_F(LayersInFolder, AnUnwritableFolderHasAReason) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const Model model = default_model_of(machine);
  std::ofstream(folder_) << "a file";
  const std::filesystem::path below = folder_ / "layers";
  const std::string reason = std::strerror(ENOTDIR);
  expect_error(find_layers(model, {.folder = below}), ErrorKind::unwritable_output, reason);
  expect_error(save_variables(below, machine->game(), {"", model.encoding().variables()}),
               ErrorKind::unwritable_output, reason);
}

// Random games hardly press 7 four times, so they do not see that play can begin again.
TEST_F(LayersInFolder, LayersBeforeAWrongGradingAreKept) {
  const Model model = default_model_of(from_text(R"(
    (role robot) (init (at 0 right)) (goal robot 0)
    (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8)
    (after 0 1) (after 1 2) (after 2 3) (after 3 4)
    (<= (legal robot (press ?d)) (digit ?d))
    (<= (next (at ?m right)) (does robot (press 7)) (true (at ?n right)) (after ?n ?m))
    (<= (next (at ?m wrong)) (does robot (press ?d)) (distinct ?d 7) (true (at ?n right))
        (after ?n ?m))
    (<= (next (at ?m wrong)) (true (at ?n wrong)) (after ?n ?m))
    (<= (next (at 0 right)) (true (at 4 right)))
    (<= terminal (true (at 4 wrong))))"));
  ASSERT_TRUE(model.grading());
  EXPECT_EQ(found_anew(model, 9), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(found_anew(model, 9), Numbers());
  EXPECT_EQ(find_layers(model).value().states(), 9);
  EXPECT_EQ(find_layers(model, {.keep = false}).value().states(), 9);
}

}  // namespace
}  // namespace zermelo::symbolic
