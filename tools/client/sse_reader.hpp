/// Parses Server-Sent Events from a stream of octets, however it is split.
///
/// Errors:  protocol where one event is longer than `event_max`.
/// Source:  HTML Standard, 9.2.6 "Interpreting an event stream".
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace smsrack::client {

struct SseEvent {
    std::string id = {};    ///< of this event or of the last before it that had one
    std::string type = {};  ///< "message" where none was named
    std::string data = {};
};

class SseReader {
public:
    /// octets: a message of 255 segments is far below.
    static constexpr std::size_t event_max = std::size_t{1} * 1024 * 1024;

    /// Calls `event` for each event that is whole now.
    [[nodiscard]] Result<> feed(std::string_view input,
                                const std::function<void(const SseEvent&)>& event);

private:
    void take_line(std::string_view line, const std::function<void(const SseEvent&)>& event);
    void take_field(std::string_view name, std::string_view value);

    std::string line_;
    SseEvent event_;
    bool has_data_ = false;
};

}  // namespace smsrack::client
