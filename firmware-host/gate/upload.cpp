#include "firmware-host/gate/upload.hpp"

#include "src/wire/http1.hpp"

#include <utility>

namespace smsrack::gate {
namespace {

class UploadBody final : public wire::BodyReader {
public:
    explicit UploadBody(std::shared_ptr<Upload> upload) : upload_(std::move(upload)) {}
    void data(std::string_view piece) override { upload_->data(piece); }
    void end() override { upload_->end(); }
    void aborted() override { upload_->aborted(); }

private:
    const std::shared_ptr<Upload> upload_;
};

}  // namespace

std::unique_ptr<wire::BodyReader> Upload::start(const ServiceLink& link,
                                                const ServiceRequest& request,
                                                std::unique_ptr<Answer> answer) {
    const auto self = std::make_shared<Upload>(std::move(answer));
    self->answer_->responder().on_closed([self] { self->call_.reset(); });
    Upstream::Events events = events_to(std::weak_ptr(self));
    events.taken = [weak = std::weak_ptr(self)] {
        if (const auto upload = weak.lock()) {
            upload->answer_->responder().pause_body(false);
        }
    };
    self->call_ =
        link.upstream.begin(request.with_chunks(), Upstream::Over::fresh, std::move(events));
    return std::make_unique<UploadBody>(self);
}

Upload::Upload(std::unique_ptr<Answer> answer) : answer_(std::move(answer)) {}

void Upload::data(std::string_view piece) {
    if (!call_) {
        return;  // refused: what still comes is dropped
    }
    std::string chunk;
    wire::append_chunk(chunk, piece);
    call_->write(std::move(chunk));
    answer_->responder().pause_body(call_->backlog() > held_max);
}

void Upload::end() {
    if (call_) {
        call_->write(std::string(wire::end_of_chunks));
    }
}

void Upload::aborted() {
    call_.reset();
}

void Upload::take_head(const wire::ReplyHead& head) {
    begun_ = true;
    answer_->begin(client_response(head.status, head.headers), std::chrono::seconds(0), {});
}

void Upload::take_body(std::string_view piece) {
    answer_->write(piece);
    if (call_ && answer_->responder().backlog() > held_max) {
        call_->pause(true);
        answer_->responder().on_drained([weak = weak_from_this()] {
            const auto self = weak.lock();
            if (self && self->call_) {
                self->call_->pause(false);
            }
        });
    }
}

void Upload::take_end() {
    call_.reset();
    answer_->responder().pause_body(false);
    answer_->end();
}

void Upload::lost() {
    const bool has_arrived = call_->has_arrived();
    call_.reset();
    answer_->responder().pause_body(false);
    if (begun_) {
        answer_->cut();
    } else if (has_arrived) {
        answer_->fail({.code = Errc::outcome_unknown,
                       .context = "the service went away before it answered; send the lines again, "
                                  "with their refs"});
    } else {
        answer_->fail({.code = Errc::overloaded,
                       .context = "the service does not run at the moment",
                       .retry_after = service_wait});
    }
}

}  // namespace smsrack::gate
