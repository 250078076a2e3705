/// The events of a trigger, whose body streams. Body and answer pass through at once.
///
/// If the service goes away before it has answered, a body of at most held_max is sent again: an
/// event that was taken counts as seen then. A longer one gets outcome_unknown, and its client may
/// send it again itself.
/// Bound:   held_max that the service has not read, or that is kept; and as much that the client has
///          not read.
/// Threads: loop thread; lasts as long as the body comes or the client waits.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "src/base/clock.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class Upload : public std::enable_shared_from_this<Upload> {
public:
    /// Takes the body.
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> start(const ServiceLink& link,
                                                                 const ServiceRequest& request,
                                                                 std::unique_ptr<Answer> answer);

    Upload(const ServiceLink& link, const ServiceRequest& request, std::unique_ptr<Answer> answer);

    // -- of the body
    void data(std::string_view piece);
    void end();
    void stopped();
    void aborted();

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end();
    void lost();

private:
    void ask();
    void send(std::string octets);

    const ServiceLink& link_;
    const std::string head_;
    const std::unique_ptr<Answer> answer_;
    std::unique_ptr<Upstream::Call> call_;  // null: it waits to ask again, or it is over
    net::LoopWatchPtr again_;
    std::optional<SteadyTime> lost_since_;
    std::string kept_;    // of the body, in chunks
    bool keeps_ = true;   // kept_ is all that came
    bool begun_ = false;  // the client has got the head
    bool over_ = false;
};

}  // namespace smsrack::gate
