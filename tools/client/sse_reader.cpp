#include "tools/client/sse_reader.hpp"

namespace smsrack::client {

Result<> SseReader::feed(std::string_view input,
                         const std::function<void(const SseEvent&)>& event) {
    while (!input.empty()) {
        const auto end = input.find('\n');
        line_.append(input.substr(0, end));
        if (line_.size() + event_.data.size() > event_max) {
            return fail(Errc::protocol, "an event of the stream is longer than 1 MiB");
        }
        if (end == std::string_view::npos) {
            return {};
        }
        input.remove_prefix(end + 1);
        if (line_.ends_with('\r')) {
            line_.pop_back();
        }
        take_line(line_, event);
        line_.clear();
    }
    return {};
}

void SseReader::take_line(std::string_view line,
                          const std::function<void(const SseEvent&)>& event) {
    if (!line.empty()) {
        const auto colon = line.find(':');
        std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
        if (value.starts_with(' ')) {
            value.remove_prefix(1);
        }
        take_field(line.substr(0, colon), value);
        return;
    }
    if (has_data_) {
        if (event_.type.empty()) {
            event_.type = "message";
        }
        event(event_);
    }
    event_.type.clear();
    event_.data.clear();
    has_data_ = false;
}

/// A comment is a line whose field name is empty: dropped as any unknown name is.
void SseReader::take_field(std::string_view name, std::string_view value) {
    if (name == "data") {
        if (has_data_) {
            event_.data += '\n';
        }
        event_.data += value;
        has_data_ = true;
    } else if (name == "event") {
        event_.type = value;
    } else if (name == "id") {
        event_.id = value;
    }
}

}  // namespace smsrack::client
