#include "tools/pdu_json/pdu_command.hpp"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>

namespace smsrack::tools {
namespace {

int run(LineWorker& worker, int in, int out) {
    const auto all_good = filter_lines(in, out, worker);
    if (!all_good) {
        fmt::print(stderr, "smsrack: {}: {}\n", all_good.error().context,
                   std::strerror(all_good.error().detail));
        return 1;
    }
    return *all_good ? 0 : 1;
}

}  // namespace

int run_pdu_decode(const PduDecodeOptions& options, int in, int out) {
    DecodeLines worker(options);
    return run(worker, in, out);
}

int run_pdu_encode(int in, int out) {
    EncodeLines worker;
    return run(worker, in, out);
}

}  // namespace smsrack::tools
