#include "app/job.h"

#include <algorithm>
#include <optional>

#include "app/rules_text.h"
#include "cluster/bytes.h"
#include "cluster/mpi_transport.h"

namespace zermelo::app {

bool is_silent_rank() { return cluster::is_secondary_rank(); }

base::Result<std::shared_ptr<Job>> join_job() {
  auto transport = cluster::join_mpi();
  if (!transport) return tl::unexpected(transport.error());
  return std::make_shared<Job>(std::move(*transport));
}

base::Result<Rules> share_rules(Job& job, const base::Result<Rules>& rules) {
  std::optional<base::Error> error;
  if (job.is_main() && !rules) error = rules.error();
  if (auto first = job.channel().first_error(error)) return tl::unexpected(*first);
  cluster::ByteWriter writer;
  if (job.is_main()) {
    writer.put_text((*rules)->source->name());
    writer.put_text((*rules)->source->text());
  }
  const cluster::Bytes bytes = job.channel().broadcast(writer.take());
  if (job.is_main()) return rules;
  cluster::ByteReader reader(bytes);
  const std::string name = reader.get_text();
  return rules_of_text(name, reader.get_text());
}

ResourceLimits share_of_machine(const ResourceLimits& limits) {
  ResourceLimits share = limits;
  share.memory_bytes = limits.memory_bytes.value_or(limits.memory() / cluster::ranks_here());
  return share;
}

}  // namespace zermelo::app
