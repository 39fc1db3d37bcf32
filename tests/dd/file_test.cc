#include "dd/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "dd/connect_four.h"
#include "dd/random_diagrams.h"

namespace zermelo::dd {
namespace {

class Files : public ::testing::Test {
 protected:
  Files()
      : folder_(std::filesystem::temp_directory_path() /
                ("zermelo-dd-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path() const { return folder_ / "diagram"; }
  std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  }
  std::string error() const {
    const auto result = load(path());
    if (result) return "";
    EXPECT_EQ(result.error().kind, base::ErrorKind::unreadable_input);
    return result.error().message;
  }

  std::filesystem::path folder_;
};

TEST_F(Files, LoadReturnsWhatWasSaved) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    base::Random random(seed);
    const Domains domains = random_domains(random, 1 + random.below(6), 5);
    const Diagram diagram = random_diagram(random, domains, 2 + random.below(3), 10);
    ASSERT_TRUE(save(diagram, path()));
    EXPECT_TRUE(identical(*load(path()), diagram));
  }
  ASSERT_TRUE(save(Diagram::constant({}, 3, 2), path()));
  EXPECT_EQ(*load(path()), Diagram::constant({}, 3, 2));
}

TEST_F(Files, LevelsOfSeveralBlocks) {
  base::Random random(1);
  const Domains domains = {40, 700, 2};
  std::vector<NodeId> table(40 * 700 * 2);
  for (NodeId& value : table) value = random.below(50);
  const Diagram diagram = diagram_of(domains, 50, table);
  ASSERT_TRUE(save(diagram, path()));
  EXPECT_TRUE(identical(*load(path()), diagram));
  auto file = DiagramFile::open(path());
  ASSERT_TRUE(file);
  for (Value value = 0; value < 40; ++value) {
    const std::vector<Value> assignment = {value, 17 * value, value % 2};
    EXPECT_EQ(*file->evaluate(assignment), diagram.evaluate(assignment));
  }
}

TEST_F(Files, LoadingRespectsLimits) {
  ASSERT_TRUE(save(diagram_of({2, 2}, 2, std::vector<NodeId>{0, 1, 1, 0}), path()));
  Options options;
  options.limits = base::Limits(std::nullopt, base::resident_bytes() / 2);
  const auto loaded = load(path(), options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, base::ErrorKind::memory_limit);
}

TEST_F(Files, EvaluateWithoutLoading) {
  const ConnectFour game(5, 4);
  const Relation relation = *Relation::of_cases(game.domains(), game.cases());
  const Diagram layer = (*game.layers(relation))[12];
  ASSERT_GT(layer.nodes(), 4000u);
  ASSERT_TRUE(save(layer, path()));
  auto file = DiagramFile::open(path());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->nodes(), layer.nodes());
  EXPECT_EQ(file->domains(), layer.domains());
  EXPECT_TRUE(identical(*file->load(), layer));
  unsigned left = 200;
  layer.enumerate(ConnectFour::not_terminal, [&](std::span<const Value> state) {
    EXPECT_EQ(*file->evaluate(state), ConnectFour::not_terminal);
    return --left > 0;
  });
  EXPECT_EQ(*file->evaluate(std::vector<Value>(layer.variables(), 0)), 0u);
}

TEST_F(Files, EveryChangedByteIsDetected) {
  base::Random random(3);
  ASSERT_TRUE(save(random_diagram(random, {3, 2, 2}, 3, 5), path()));
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {1, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      write(changed);
      EXPECT_NE(error(), "") << at;
    }
  }
}

// Loading it would allocate 16 GiB for one row.
TEST_F(Files, AVariableWithTooManyValuesFailsBeforeItsRowsAreAllocated) {
  base::Random random(3);
  const Domains domains = {3, 2, 2};
  ASSERT_TRUE(save(random_diagram(random, domains, 3, 5), path()));
  std::string crafted = bytes();
  constexpr std::size_t header = 32, level = 16;
  std::uint64_t blocks = 0;
  std::memcpy(&blocks, &crafted[24], sizeof blocks);
  std::fill_n(crafted.begin() + header, 4, '\xff');  // the number of values of the first variable
  const std::size_t directory = header + domains.size() * level + blocks * 24;
  const std::uint64_t sum = checksum(crafted.data(), directory);
  std::memcpy(&crafted[directory], &sum, sizeof sum);
  write(crafted);
  ASSERT_TRUE(DiagramFile::open(path()));
  const auto loaded = load(path(), domains, {});
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("other variables"), std::string::npos);
}

TEST_F(Files, EveryTruncationIsDetected) {
  base::Random random(4);
  ASSERT_TRUE(save(random_diagram(random, {3, 2, 2}, 3, 5), path()));
  const std::string whole = bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    EXPECT_NE(error(), "") << size;
  }
  write(whole + 'x');
  EXPECT_NE(error().find("extra bytes"), std::string::npos);
}

TEST_F(Files, ErrorMessagesNameTheCause) {
  EXPECT_NE(error().find("cannot read"), std::string::npos);
  write("something else altogether");
  EXPECT_NE(error().find("is not a diagram file"), std::string::npos);
  ASSERT_TRUE(save(Diagram::constant({2}, 2, 1), path()));
  std::string newer = bytes();
  newer[8] = 3;
  write(newer);
  EXPECT_NE(error().find("has version 3"), std::string::npos);
  const auto nowhere = save(Diagram::constant({2}, 2, 1), folder_ / "no folder" / "file");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("cannot write"), std::string::npos);
}

TEST_F(Files, NoTemporaryFilesRemain) {
  ASSERT_TRUE(save(Diagram::constant({2}, 2, 1), path()));
  const std::filesystem::directory_iterator begin(folder_), end;
  EXPECT_EQ(std::distance(begin, end), 1);
}

}  // namespace
}  // namespace zermelo::dd
