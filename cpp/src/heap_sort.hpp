// Sorting with a heap: takes twice the time of std::sort and a tenth of its code, which is
// downloaded.
#pragma once

#include <algorithm>
#include <functional>

namespace headwise {

// Ascending by key(element); not stable.
template <class Range, class Key = std::identity>
void heap_sort(Range&& range, Key key = {}) {
  std::ranges::make_heap(range, {}, key);
  std::ranges::sort_heap(range, {}, key);
}

}  // namespace headwise
