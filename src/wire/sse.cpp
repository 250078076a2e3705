#include "src/wire/sse.hpp"

#include "src/base/check.hpp"

#include <fmt/format.h>
#include <iterator>

namespace smsrack::wire {

void append_sse_event(std::string& out, std::string_view name, std::int64_t id,
                      std::string_view data) {
    SMSRACK_CHECK(data.find_first_of("\r\n") == std::string_view::npos);
    fmt::format_to(std::back_inserter(out), "event: {}\nid: {}\ndata: {}\n\n", name, id, data);
}

}  // namespace smsrack::wire
