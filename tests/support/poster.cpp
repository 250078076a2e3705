#include "tests/support/poster.hpp"

#include <exception>
#include <fmt/format.h>
#include <optional>

namespace smsrack::test {

std::string poster_number(int n) {
    return fmt::format("+337{:08}", n);
}

wire::Json poster_message(int n) {
    const std::string text = n % 10 == 0 ? std::string(400, 'u') : fmt::format("message {}", n);
    return {{"to", poster_number(n)}, {"text", text}, {"ref", fmt::format("poster-{}", n)}};
}

const std::vector<Posted>& Poster::end() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
    return posted_;
}

void Poster::post_all(const std::stop_token& stop) {
    try {
        std::optional<UnixStream> stream;
        while (!stop.stop_requested() && fault_.empty()) {
            const int n = next_++;
            if (!keep_alive_) {
                take(rack_.http("POST", "/v1/messages", poster_message(n).dump()), n);
                continue;
            }
            if (!stream) {
                stream.emplace(rack_.socket());
            }
            post(*stream, n);
        }
    } catch (const std::exception& error) {
        fault_ = error.what();
    }
}

void Poster::post(UnixStream& stream, int n) {
    const std::string text = poster_message(n).dump();
    if (!stream.send(fmt::format("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n"
                                 "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                                 text.size(), text))) {
        fault_ = "the connection was closed";
        return;
    }
    const std::string head = stream.receive_until("\r\n\r\n");
    take(parse_answer(head + stream.receive_until("}")), n);
}

void Poster::take(const HttpAnswer& answer, int n) {
    if (answer.status != 202) {
        fault_ = fmt::format("{} {}", answer.status, answer.body);
        return;
    }
    posted_.push_back({answer.json().at("id"), poster_number(n)});
}

}  // namespace smsrack::test
