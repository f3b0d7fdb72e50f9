// Computes what it is asked on standard input, until that ends: the native side of the conformance
// runner.
//
//   headwise_op               by the kernels
//   headwise_op --reference   by the double-precision reference, rounded once to float32
//
// op/message.hpp has the format. No JSON: whoever reads the cases sends raw tensors.
#include <cstring>
#include <iostream>
#include <string>

#include "headwise/memory.hpp"
#include "op/attention_operation.hpp"
#include "op/latent_operation.hpp"
#include "op/layer_operation.hpp"
#include "op/message.hpp"

namespace {

using headwise::Status;
using headwise::tool::Reply;
using headwise::tool::Request;

Status run(const Request& request, bool by_reference, Reply* reply) {
  const std::string& call = request.call();
  if (call == "attention") return run_attention(request, by_reference, reply);
  if (call == "multi_head_attention") return run_layer(request, by_reference, reply);
  if (call == "latent_attention") return run_latent(request, by_reference, reply);
  return Status::invalid("call", "attention, multi_head_attention or latent_attention", call);
}

// False when there is nothing more to answer.
bool answer(bool by_reference) {
  Request request;
  if (!request.read(std::cin)) return false;
  Reply reply;
  const Status status = run(request, by_reference, &reply);
  if (status.ok()) {
    std::cout << "ok\n";
    reply.write(std::cout);
  } else {
    std::cout << "error " << to_string(status.code()) << "\nargument " << status.argument()
              << "\nexpected " << status.expected() << "\nreceived " << status.received()
              << "\ndata\n";
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool by_reference = argc == 2 && std::strcmp(argv[1], "--reference") == 0;
  if (argc > 1 && !by_reference) {
    std::cerr << "headwise_op: expected no argument or --reference, received " << argv[1] << '\n';
    return 2;
  }
  std::ios::sync_with_stdio(false);
  while (answer(by_reference)) {
    const headwise::MemoryUse memory = headwise::memory_use();
    std::cout << "memory " << memory.used << ' ' << memory.blocks << '\n' << std::flush;
  }
  return 0;
}
