#include "firmware-host/gate/smpp/smpp_connection.hpp"

#include "firmware-host/gate/smpp/account_desk.hpp"

#include <utility>

namespace smsrack::gate {

SmppConnection::SmppConnection(SmppConnectionOwner& owner, const Clock& clock,
                               const smpp::SessionTimes& times, std::unique_ptr<net::TcpPeer> peer,
                               bool has_tls)
    : owner_(owner),
      clock_(clock),
      address_(peer->address()),
      has_tls_(has_tls),
      since_(clock.wall()),
      peer_(std::move(peer)),
      session_(*this, times, clock.steady()) {}

void SmppConnection::start() {
    peer_->start({.data =
                      [weak = weak_from_this()](std::string_view octets) {
                          if (const auto self = weak.lock()) {
                              self->session_.receive(octets, self->clock_.steady());
                              self->change();
                          }
                      },
                  .closed =
                      [weak = weak_from_this()] {
                          if (const auto self = weak.lock()) {
                              self->close();
                          }
                      },
                  .written =
                      [weak = weak_from_this()] {
                          if (const auto self = weak.lock()) {
                              self->change();
                          }
                      }});
    change();
}

void SmppConnection::change() {
    if (!flush_wanted && peer_ != nullptr) {
        flush_wanted = true;
        owner_.needs_flush(shared_from_this());
    }
}

void SmppConnection::bind_asked(smpp::Command kind, smpp::Bind bind) {
    owner_.bind_asked(shared_from_this(), kind, bind);
}

void SmppConnection::join(std::shared_ptr<AccountDesk> desk, std::uint32_t window) {
    desk_ = std::move(desk);
    session_.bound(window, clock_.steady());
    change();
}

void SmppConnection::refuse() {
    session_.refuse_bind(clock_.steady());
    change();
}

void SmppConnection::asked(smpp::Pdu request) {
    ++requests_;
    desk_->asked(shared_from_this(), std::move(request));
}

void SmppConnection::told(smpp::Command request, smpp::Status status) {
    if (status != smpp::Status::ok) {
        last_refusal_ = status;
        last_refusal_at_ = clock_.wall();
    }
    if (desk_ != nullptr) {
        desk_->count(request, status);
    }
}

void SmppConnection::answer(const smpp::Header& request, smpp::Status status, smpp::Body body) {
    session_.answer(request, status, std::move(body));
    change();
}

bool SmppConnection::takes_deliveries(std::size_t window) const {
    return peer_ != nullptr && session_.can_deliver() && session_.delivering() < window;
}

void SmppConnection::deliver(const std::shared_ptr<Delivery>& delivery) {
    const std::uint32_t sequence =
        session_.deliver(delivery->pdus[delivery->taken], clock_.steady());
    deliveries_.emplace(sequence, delivery);
    change();
}

void SmppConnection::delivered(std::uint32_t sequence, std::optional<smpp::Status> answer) {
    if (auto found = deliveries_.extract(sequence)) {
        desk_->deliveries().ended(found.mapped(), answer, false);
    }
}

void SmppConnection::flush() {
    flush_wanted = false;
    if (peer_ == nullptr) {
        return;
    }
    peer_->write(session_.take_output());
    const bool reads_nothing = peer_->backlog() > backlog_max;
    if (reads_nothing || (session_.is_over() && peer_->backlog() == 0)) {
        return close();
    }
    if (session_.is_over() && last_words_by_ == never) {
        last_words_by_ = clock_.steady() + last_words;
        peer_->pause(true);
    }
}

void SmppConnection::step(SteadyTime now) {
    if (now >= last_words_by_) {
        return close();
    }
    session_.step(now);
    change();
}

void SmppConnection::unbind() {
    session_.unbind(clock_.steady());
    change();
}

/// What it was given and has not answered is for another session.
void SmppConnection::close() {
    if (std::exchange(peer_, nullptr) == nullptr) {
        return;
    }
    session_.end();
    if (desk_ != nullptr) {
        desk_->leave(*this);
        for (const auto& [sequence, delivery] : std::exchange(deliveries_, {})) {
            desk_->deliveries().ended(delivery, std::nullopt, true);
        }
    }
    owner_.gone(*this);
}

}  // namespace smsrack::gate
