#include "cluster/requests.h"

#include <algorithm>

namespace zermelo::cluster {
namespace {

ByteWriter writer_of(Request request, std::uint64_t number) {
  ByteWriter writer;
  writer.put(request);
  writer.put(number);
  return writer;
}

void put_samples(ByteWriter& writer, const Samples& samples) {
  writer.put(samples.is_last);
  writer.put_list(samples.visits);
  writer.put_list(samples.sums);
}

void put_state(ByteWriter& writer, const search::State& state) { writer.put_all(state.words()); }

search::State get_state(ByteReader& reader, search::State state) {
  reader.get_all(state.words());
  return state;
}

}  // namespace

Bytes GameRequest::bytes() const {
  ByteWriter writer = writer_of(Request::game, number);
  writer.put(seed);
  writer.put_text(name);
  writer.put_text(rules);
  return writer.take();
}

GameRequest GameRequest::from(ByteReader& reader) {
  GameRequest request;
  request.number = reader.get<std::uint64_t>();
  request.seed = reader.get<std::uint64_t>();
  request.name = reader.get_text();
  request.rules = reader.get_text();
  return request;
}

Bytes PlayoutRequest::bytes(std::uint64_t number, std::span<const search::State> states) {
  ByteWriter writer = writer_of(Request::playouts, number);
  for (std::size_t i = 0; i < states.size();) {
    std::size_t end = i + 1;
    while (end < states.size() && states[end] == states[i]) ++end;
    writer.put(static_cast<std::uint32_t>(end - i));
    put_state(writer, states[i]);
    i = end;
  }
  return writer.take();
}

PlayoutRequest PlayoutRequest::from(ByteReader& reader, const search::State& any_state) {
  PlayoutRequest request;
  request.number = reader.get<std::uint64_t>();
  while (!reader.at_end()) {
    const auto times = reader.get<std::uint32_t>();
    request.states.insert(request.states.end(), times, get_state(reader, any_state));
  }
  return request;
}

Bytes PlayoutAnswer::bytes() const {
  ByteWriter writer = writer_of(Request::playouts, number);
  writer.put_list(rewards);
  return writer.take();
}

PlayoutAnswer PlayoutAnswer::from(ByteReader& reader) {
  PlayoutAnswer answer;
  answer.number = reader.get<std::uint64_t>();
  answer.rewards = reader.get_list<float>();
  return answer;
}

Bytes TreeRequest::bytes() const {
  ByteWriter writer = writer_of(Request::tree, number);
  writer.put(role);
  writer.put(budget.seconds ? budget.seconds->count() : -1.0);
  writer.put(budget.simulations ? static_cast<std::int64_t>(*budget.simulations)
                                : std::int64_t{-1});
  put_state(writer, state);
  return writer.take();
}

TreeRequest TreeRequest::from(ByteReader& reader, const search::State& any_state) {
  TreeRequest request;
  request.number = reader.get<std::uint64_t>();
  request.role = reader.get<std::uint64_t>();
  const auto seconds = reader.get<double>();
  const auto simulations = reader.get<std::int64_t>();
  if (seconds >= 0) request.budget.seconds = std::chrono::duration<double>(seconds);
  if (simulations >= 0) request.budget.simulations = static_cast<std::uint64_t>(simulations);
  request.state = get_state(reader, any_state);
  return request;
}

Bytes Samples::bytes() const {
  ByteWriter writer = writer_of(Request::tree, number);
  put_samples(writer, *this);
  return writer.take();
}

Bytes Samples::request() const {
  ByteWriter writer = writer_of(Request::samples, number);
  put_samples(writer, *this);
  return writer.take();
}

Samples Samples::from(ByteReader& reader) {
  Samples samples;
  samples.number = reader.get<std::uint64_t>();
  samples.is_last = reader.get<bool>();
  samples.visits = reader.get_list<std::uint64_t>();
  samples.sums = reader.get_list<double>();
  return samples;
}

void Samples::add(const Samples& other) {
  visits.resize(std::max(visits.size(), other.visits.size()));
  sums.resize(visits.size());
  for (std::size_t i = 0; i < other.visits.size(); ++i) {
    visits[i] += other.visits[i];
    sums[i] += other.sums[i];
  }
}

}  // namespace zermelo::cluster
