/// One call of the gate to the service, whose answer is read as a whole.
///
/// post() shows no token: the service takes the gate for what it is, by its account.
/// Bound:   answer_max octets.
/// Threads: loop thread. Without the object the answer is unwanted.
#pragma once

#include "firmware-host/gate/upstream.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::gate {

class ServiceCall : public std::enable_shared_from_this<ServiceCall> {
public:
    static constexpr std::size_t answer_max = 16UL * 1024 * 1024;

    struct Reply {
        int status = 0;  ///< 0: the service went away, or says too much
        std::string body = {};
    };
    using Done = std::function<void(Reply)>;

    /// `request`: head and body. `done` may drop the call.
    [[nodiscard]] static std::shared_ptr<ServiceCall> begin(Upstream& upstream, std::string request,
                                                            Done done);
    /// For the gate itself; `done` likewise.
    [[nodiscard]] static std::shared_ptr<ServiceCall> post(Upstream& upstream,
                                                           std::string_view target,
                                                           std::string_view json, Done done);

    explicit ServiceCall(Done done) : done_(std::move(done)) {}

    // -- of its call
    void take_head(const wire::ReplyHead& head) { reply_.status = head.status; }
    void take_body(std::string_view piece);
    void take_end() { tell(std::move(reply_)); }
    void lost() { tell({}); }

private:
    void tell(Reply reply);

    Done done_;
    Reply reply_;
    std::unique_ptr<Upstream::Call> call_;
};

/// The service has not answered, or says that it stops: it is back soon.
[[nodiscard]] constexpr bool is_away(int status) {
    return status == 0 || status == 502 || status == 503;
}

}  // namespace smsrack::gate
