/// A call whose body streams: many messages, or the events of a trigger, line by line. Body and answer pass through at once.
///
/// It is carried over an upgrade of the service, like every connection. If the service is killed meanwhile, the answer is cut where
/// it has come to: its client sees which lines were accepted, and repeats the others with their refs.
/// Bound:   held_max that the service has not read, and as much that the client has not.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/service_request.hpp"

#include <memory>
#include <string_view>

namespace smsrack::gate {

class Upload : public std::enable_shared_from_this<Upload> {
public:
    /// Takes the body.
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> start(const ServiceLink& link,
                                                                 const ServiceRequest& request,
                                                                 std::unique_ptr<Answer> answer);

    explicit Upload(std::unique_ptr<Answer> answer);

    void data(std::string_view piece);
    void end();
    void aborted();

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end();
    void lost();

private:
    const std::unique_ptr<Answer> answer_;
    std::unique_ptr<Upstream::Call> call_;  // null: it is over
    bool begun_ = false;
};

}  // namespace smsrack::gate
