/// The request that is being read, until it is handed on: as a value, and as the octets it came in.
///
/// The octets are for another process, which reads the request again.
/// Bound:   the octets: one head and one body; the caller bounds both.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/wire/clear_and_shrink.hpp"
#include "src/wire/http_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::wire {

class IncomingRequest {
public:
    /// Its head is whole. `peer` outlives the request.
    void begin(HttpRequest&& head, const Peer& peer) {
        request_ = std::move(head);
        request_.peer = &peer;
    }
    /// False: the body would be larger than `bytes_max`; nothing was added.
    [[nodiscard]] bool add_body(std::string_view piece, std::size_t bytes_max) {
        if (request_.body.size() + piece.size() > bytes_max) {
            return false;
        }
        request_.body += piece;
        return true;
    }
    /// All of it came; it may start once there is room for an answer of `answer_bytes`.
    void whole(SteadyTime at, std::size_t answer_bytes) {
        request_.received_at = at;
        answer_bytes_ = answer_bytes;
    }

    [[nodiscard]] const HttpRequest& request() const { return request_; }
    [[nodiscard]] std::size_t answer_bytes() const { return answer_bytes_; }
    [[nodiscard]] std::size_t held() const { return octets_.size() + request_.body.size(); }
    /// To be handed on; there is no request afterwards.
    [[nodiscard]] HttpRequest take() { return std::exchange(request_, {}); }

    void keep_octets(std::string_view taken) { octets_ += taken; }
    void drop_octets() { clear_and_shrink(octets_); }
    [[nodiscard]] std::string take_octets() { return std::exchange(octets_, {}); }

private:
    std::string octets_;
    HttpRequest request_;
    std::size_t answer_bytes_ = 0;
};

}  // namespace smsrack::wire
