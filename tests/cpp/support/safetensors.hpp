// A reader of safetensors files for tests: the whole file in memory, tensors by name. Knows as much
// JSON as the header of such a file needs: objects, arrays of integers, strings.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace headwise::test {

class SafetensorsFile {
 public:
  struct Entry {
    std::string type;  // "F32", "I8", "I32"
    std::vector<std::int64_t> dims;
    std::size_t begin = 0, end = 0;  // within the data
  };

  // False when the file cannot be read or is not what it should be.
  bool open(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return false;
    std::uint64_t header_length = 0;
    std::vector<char> header;
    bool read = std::fread(&header_length, sizeof(header_length), 1, file) == 1 &&
                header_length < (std::uint64_t{1} << 24);
    if (read) {
      header.resize(static_cast<std::size_t>(header_length));
      read = std::fread(header.data(), 1, header.size(), file) == header.size();
    }
    std::fseek(file, 0, SEEK_END);
    const long size = std::ftell(file);
    const long start = static_cast<long>(sizeof(header_length) + header.size());
    std::fseek(file, start, SEEK_SET);
    if (read && size >= start) {
      data_.resize(static_cast<std::size_t>(size - start));
      read = std::fread(data_.data(), 1, data_.size(), file) == data_.size();
    }
    std::fclose(file);
    text_.assign(header.begin(), header.end());
    return read && parse();
  }

  const std::vector<std::string>& names() const { return names_; }  // in the file's order
  bool has(const std::string& name) const { return entries_.count(name) == 1; }
  const Entry& entry(const std::string& name) const { return entries_.at(name); }

  // Copies the tensor, whose type the caller knows.
  template <class T>
  std::vector<T> values(const std::string& name) const {
    const Entry& e = entry(name);
    std::vector<T> result((e.end - e.begin) / sizeof(T));
    std::memcpy(result.data(), data_.data() + e.begin, result.size() * sizeof(T));
    return result;
  }

 private:
  bool parse() {
    place_ = 0;
    if (!take('{')) return false;
    while (!take('}')) {
      const std::string name = string();
      if (!take(':')) return false;
      if (name == "__metadata__") {
        if (!skip_object()) return false;
      } else if (!parse_entry(name)) {
        return false;
      }
      take(',');
    }
    return true;
  }

  bool parse_entry(const std::string& name) {
    Entry e;
    if (!take('{')) return false;
    while (!take('}')) {
      const std::string key = string();
      if (!take(':')) return false;
      if (key == "dtype") {
        e.type = string();
      } else {
        const std::vector<std::int64_t> numbers = array();
        if (key == "shape") e.dims = numbers;
        if (key == "data_offsets" && numbers.size() == 2) {
          e.begin = static_cast<std::size_t>(numbers[0]);
          e.end = static_cast<std::size_t>(numbers[1]);
        }
      }
      take(',');
    }
    names_.push_back(name);
    entries_[name] = e;
    return e.begin <= e.end && e.end <= data_.size();
  }

  bool skip_object() {
    if (!take('{')) return false;
    while (!take('}')) {
      string();
      if (!take(':')) return false;
      string();
      take(',');
    }
    return true;
  }

  void skip_spaces() {
    while (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '\n')) ++place_;
  }
  bool take(char c) {
    skip_spaces();
    if (place_ >= text_.size()) return c == '}';  // ends every loop of a broken header
    if (text_[place_] != c) return false;
    ++place_;
    return true;
  }
  std::string string() {
    std::string result;
    if (!take('"')) return result;
    while (place_ < text_.size() && text_[place_] != '"') {
      if (text_[place_] == '\\') ++place_;  // the escaped character stands for itself here
      if (place_ < text_.size()) result += text_[place_++];
    }
    ++place_;
    return result;
  }
  std::vector<std::int64_t> array() {
    std::vector<std::int64_t> numbers;
    if (!take('[')) return numbers;
    while (!take(']') && place_ < text_.size()) {
      std::int64_t number = 0;
      while (place_ < text_.size() && text_[place_] >= '0' && text_[place_] <= '9') {
        number = 10 * number + (text_[place_++] - '0');
      }
      numbers.push_back(number);
      take(',');
    }
    return numbers;
  }

  std::string text_;
  std::size_t place_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, Entry> entries_;
  std::vector<char> data_;
};

}  // namespace headwise::test
