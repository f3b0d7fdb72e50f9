// Cuts an attention problem into blocks and computes them. A row meets the same tiles of keys in
// the same order in whatever block it stands, so its bits do not depend on the cut.
#include "headwise/attention.hpp"

#include <algorithm>

#include "attention_block.hpp"
#include "headwise/parallel.hpp"

namespace headwise {

Status AttentionPlan::prepare(const AttentionProblem& problem) {
  problem_ = problem;
  const AttentionBlockLayout layout = attention_block_layout(problem);
  const std::int64_t group = problem.query.dims[1] / problem.value.dims[1];
  block_queries_ = std::max<std::int64_t>(layout.rows / group, 1);
  blocks_ = (problem.query.dims[2] + block_queries_ - 1) / block_queries_;
  tasks_ = problem.query.dims[0] * problem.value.dims[1] * blocks_;
  task_cost_ = static_cast<double>(layout.rows) * static_cast<double>(problem.value.dims[2]) *
               static_cast<double>(layout.head_dim + layout.value_width);
  workspace_stride_ = (layout.floats() + 15) / 16 * 16;
  if (tasks_ == 0) return {};  // an empty result needs no room, however wide its heads
  return workspace_.reserve(workspace_stride_ * thread_count(), "workspace");
}

void AttentionPlan::compute(std::int64_t task, int thread) {
  const std::int64_t head = task / blocks_;
  AttentionBlockPlace place;
  place.batch = head / problem_.value.dims[1];
  place.kv_head = head % problem_.value.dims[1];
  place.first_query = task % blocks_ * block_queries_;
  place.queries = std::min(block_queries_, problem_.query.dims[2] - place.first_query);
  attention_block(problem_, attention_block_layout(problem_), place,
                  workspace_.data() + thread * workspace_stride_);
}

void AttentionPlan::begin(std::int64_t first, std::int64_t last) {
  last_ = last;
  const auto body = [](void* context, std::int64_t piece, int thread) {
    auto& plan = *static_cast<AttentionPlan*>(context);
    // Causal blocks grow with their number: the last ones first keeps threads evenly busy.
    plan.compute(plan.last_ - 1 - piece, thread);
  };
  begin_parallel(last - first, body, this);
}

void AttentionPlan::finish() { finish_parallel(); }

Status attention(const AttentionProblem& problem) {
  AttentionPlan plan;
  HEADWISE_RETURN_IF_ERROR(plan.prepare(problem));
  plan.run(0, plan.tasks());
  return {};
}

}  // namespace headwise
