#include "headwise/activation_cache.hpp"

#include <algorithm>
#include <numeric>

namespace headwise {

Status ActivationCache::add(std::string name, std::vector<std::int64_t> dims, float** data) {
  std::int64_t size = 1;
  for (const std::int64_t dim : dims) size *= dim;
  Activation activation{std::move(name), std::move(dims), {}};
  HEADWISE_RETURN_IF_ERROR(activation.data.allocate(size, activation.name.c_str()));
  *data = activation.data.data();
  activations_.push_back(std::move(activation));
  return {};
}

const Activation* ActivationCache::find(std::string_view name) const {
  for (const Activation& activation : activations_) {
    if (activation.name == name) return &activation;
  }
  return nullptr;
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  // The last * may take one more character whenever the rest does not fit.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

namespace {

// Levenshtein's.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known,
                                    std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // distance, place
  for (std::size_t i = 0; i < known.size(); ++i) {
    order.emplace_back(edit_distance(name, known[i]), i);
  }
  const std::size_t kept = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end());
  std::vector<std::string> near;
  for (std::size_t i = 0; i < kept; ++i) near.push_back(known[order[i].second]);
  return near;
}

Status unknown_name(const char* argument, std::string_view name,
                    const std::vector<std::string>& known) {
  std::string expected = "a known name";
  const char* separator = ", such as ";
  for (const std::string& near : near_names(name, known, 3)) {
    expected += separator;
    expected += near;
    separator = ", ";
  }
  return Status::invalid(argument, expected, std::string(name));
}

Status select_names(const std::vector<std::string>& patterns, const std::vector<std::string>& known,
                    const char* argument, std::vector<bool>* selected) {
  selected->assign(known.size(), false);
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!matches_pattern(pattern, known[i])) continue;
      (*selected)[i] = true;
      found = true;
    }
    if (!found) return unknown_name(argument, pattern, known);
  }
  return {};
}

}  // namespace headwise
