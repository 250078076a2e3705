/// A responder that hands everything on to another one: the base of those that change or note a part.
///
/// Threads: as Responder.
#pragma once

#include "src/wire/http_message.hpp"

#include <utility>

namespace smsrack::wire {

class WrappedResponder : public Responder {
public:
    explicit WrappedResponder(ResponderPtr inner) : inner_(std::move(inner)) {}

    void send(HttpResponse response) override { inner_->send(std::move(response)); }
    void begin(HttpResponse response, std::chrono::seconds filler_every,
               std::string filler) override {
        inner_->begin(std::move(response), filler_every, std::move(filler));
    }
    void write(std::string_view piece) override { inner_->write(piece); }
    void end() override { inner_->end(); }
    void cut() override { inner_->cut(); }
    void revoke() override { inner_->revoke(); }
    [[nodiscard]] std::size_t backlog() const override { return inner_->backlog(); }
    void on_drained(Job then) override { inner_->on_drained(std::move(then)); }
    [[nodiscard]] bool closed() const override { return inner_->closed(); }
    void on_closed(Job then) override { inner_->on_closed(std::move(then)); }
    void resumable(std::move_only_function<std::string()> mark) override {
        inner_->resumable(std::move(mark));
    }
    void mark_front(std::string front) override { inner_->mark_front(std::move(front)); }
    void pause_body(bool paused) override { inner_->pause_body(paused); }
    void holds(std::size_t bytes) override { inner_->holds(bytes); }
    [[nodiscard]] std::size_t room() const override { return inner_->room(); }

private:
    const ResponderPtr inner_;
};

}  // namespace smsrack::wire
