// The analyses, each in slices, behind one class: `begin` says which.
#include <emscripten/bind.h>

#include <algorithm>
#include <memory>

#include "headwise/analysis/bootstrap.hpp"
#include "headwise/analysis/contrastive_loss.hpp"
#include "headwise/analysis/factorisation.hpp"
#include "headwise/analysis/head_similarity.hpp"
#include "headwise/analysis/low_rank_fit.hpp"
#include "headwise/analysis/principal_angles.hpp"
#include "headwise/analysis/principal_components.hpp"
#include "record.hpp"
#include "status.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

Status begin(analysis::Factorisation& x, RecordReader& in) {
  const TensorArgument matrix = in.argument();
  return x.begin(matrix, in.optional_integer());
}
Status begin(analysis::PrincipalComponents& x, RecordReader& in) {
  const TensorArgument rows = in.argument();
  return x.begin(rows, in.optional_integer());
}
Status begin(analysis::PrincipalAngles& x, RecordReader& in) {
  const TensorArgument a = in.argument();
  return x.begin(a, in.argument());
}
Status begin(analysis::HeadSimilarity& x, RecordReader& in) {
  const TensorArgument outputs = in.argument();
  return x.begin(outputs, in.flag());
}
Status begin(analysis::LowRankFit& x, RecordReader& in) {
  const TensorArgument pattern = in.argument();
  const Number norm = in.number();
  const std::optional<std::int64_t> most = in.optional_integer();
  return x.begin(pattern, norm, most, static_cast<std::uint64_t>(in.integer()));
}

Status begin(analysis::ContrastiveLoss& x, RecordReader& in) {
  const TensorArgument a = in.argument();
  const TensorArgument b = in.argument();
  return x.begin(a, b, in.number());
}

// Of each column of values [S, C] its sum over that of counts [S], a row being a sample.
struct MeanIntervals {
  analysis::Bootstrap bootstrap;
  Buffer<float> low, high;
  Status step(bool* done) { return bootstrap.step(done); }
};
Status begin(MeanIntervals& x, RecordReader& in) {
  const TensorArgument values = in.argument();
  const TensorArgument counts = in.argument();
  const std::int64_t resamples = in.integer();
  const auto seed = static_cast<std::uint64_t>(in.number());
  const std::int64_t rows = values.dims[0];
  const std::int64_t columns = values.dims[1];
  HEADWISE_RETURN_IF_ERROR(x.bootstrap.begin(rows, resamples, seed));
  HEADWISE_RETURN_IF_ERROR(x.low.allocate(columns, "samples"));
  HEADWISE_RETURN_IF_ERROR(x.high.allocate(columns, "samples"));
  return x.bootstrap.start(rows, columns, nullptr, values.data, counts.data, x.low.data(),
                           x.high.data());
}

void write(const analysis::Factorisation& x, RecordWriter& out) {
  out.tensor(x.u.data(), x.u.size() / x.terms, x.terms);
  out.tensor(x.s.data(), x.s.size());
  out.tensor(x.vh.data(), x.terms, x.vh.size() / x.terms);
}
void write(const analysis::PrincipalComponents& x, RecordWriter& out) {
  out.tensor(x.scores.data(), x.samples, x.count);
  out.tensor(x.components.data(), x.count, x.features);
  out.tensor(x.mean.data(), x.features);
  out.tensor(x.variance.data(), x.count);
  out.tensor(x.ratio.data(), x.count);
}
void write(const analysis::PrincipalAngles& x, RecordWriter& out) {
  out.tensor(x.angles.data(), x.count_a, x.count_b, x.most);
  out.tensor(x.ranks_a.data(), x.count_a);
  out.tensor(x.ranks_b.data(), x.count_b);
}
void write(const analysis::HeadSimilarity& x, RecordWriter& out) {
  out.tensor(x.similarity.data(), x.heads, x.heads);
}
void write(const analysis::LowRankFit& x, RecordWriter& out) {
  out.tensor(x.divergence.data(), x.count);
  out.tensor(x.largest_error.data(), x.count);
  out.tensor(x.norms.data(), x.count);
  out.tensor(x.weights.data(), x.count, x.size, x.size);
  out.tensor(x.queries.data(), x.count, x.size, x.count);
  out.tensor(x.keys.data(), x.count, x.size, x.count);
}

void write(const analysis::ContrastiveLoss& x, RecordWriter& out) {
  out.tensor(x.losses.data(), x.pairs);
  out.tensor(x.right.data(), x.pairs);
}
void write(const MeanIntervals& x, RecordWriter& out) {
  out.tensor(x.low.data(), x.low.size());
  out.tensor(x.high.data(), x.high.size());
}

struct Work {
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;
  virtual Status begin(RecordReader& in) = 0;
  virtual Status step(bool* done) = 0;
  virtual void write(RecordWriter& out) const = 0;
};

template <class Analysis>
struct WorkOf final : Work {
  Analysis analysis;
  Status begin(RecordReader& in) override { return bindings::begin(analysis, in); }
  Status step(bool* done) override { return analysis.step(done); }
  void write(RecordWriter& out) const override { bindings::write(analysis, out); }
};

std::unique_ptr<Work> make(int kind) {
  switch (kind) {
    case 0:
      return std::make_unique<WorkOf<analysis::Factorisation>>();
    case 1:
      return std::make_unique<WorkOf<analysis::PrincipalComponents>>();
    case 2:
      return std::make_unique<WorkOf<analysis::PrincipalAngles>>();
    case 3:
      return std::make_unique<WorkOf<analysis::HeadSimilarity>>();
    case 4:
      return std::make_unique<WorkOf<analysis::ContrastiveLoss>>();
    case 5:
      return std::make_unique<WorkOf<MeanIntervals>>();
    default:
      return std::make_unique<WorkOf<analysis::LowRankFit>>();
  }
}

class AnalysisOperation {
 public:
  bool begin(int kind) {
    work_ = make(kind);
    RecordReader in;
    return succeeded(work_->begin(in));
  }
  bool step() { return succeeded(work_->step(&done_)); }
  bool done() const { return done_; }
  void results() const {
    RecordWriter out;
    work_->write(out);
  }

 private:
  std::unique_ptr<Work> work_;
  bool done_ = false;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_analysis) {
  using namespace headwise::bindings;
  class_<AnalysisOperation>("AnalysisOperation")
      .constructor<>()
      .function("begin", &AnalysisOperation::begin)
      .function("step", &AnalysisOperation::step)
      .property("done", &AnalysisOperation::done)
      .function("results", &AnalysisOperation::results);
}
