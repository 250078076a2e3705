#include "src/wire/http_exchange.hpp"

#include "src/base/check.hpp"
#include "src/wire/http1.hpp"

#include <utility>

namespace smsrack::wire {

void HttpExchange::send(HttpResponse response) {
    SMSRACK_CHECK(state_ == State::waiting);
    state_ = State::done;
    if (owner_ == nullptr) {
        left_behind_.reset();
        return;
    }
    form_.keep_alive = form_.keep_alive && !body_unread_;
    append_head(pending_, response, Framing::length, form_.keep_alive);
    if (!form_.head_only) {
        pending_ += response.body;
    }
    finish();
}

void HttpExchange::begin(HttpResponse response, std::chrono::seconds filler_every,
                         std::string filler) {
    SMSRACK_CHECK(state_ == State::waiting);
    state_ = State::streaming;
    if (owner_ == nullptr) {
        return;
    }
    chunked_ = form_.is_1_1;
    form_.keep_alive = form_.keep_alive && chunked_;
    filler_every_ = filler_every;
    filler_ = std::move(filler);
    append_head(pending_, response, chunked_ ? Framing::chunked : Framing::until_close,
                form_.keep_alive);
    if (!response.body.empty()) {
        write(response.body);
    } else {
        owner_->answer_grew();
    }
}

void HttpExchange::write(std::string_view piece) {
    if (owner_ == nullptr || state_ != State::streaming || piece.empty()) {
        return;
    }
    if (!form_.head_only) {
        if (chunked_) {
            append_chunk(pending_, piece);
        } else {
            pending_ += piece;
        }
    }
    owner_->answer_grew();
}

void HttpExchange::end() {
    if (state_ != State::streaming) {
        return;
    }
    state_ = State::done;
    if (owner_ == nullptr) {
        return;
    }
    if (chunked_ && !form_.head_only) {
        pending_ += end_of_chunks;
    }
    finish();
}

void HttpExchange::cut() {
    state_ = State::done;
    if (owner_ != nullptr) {
        owner_->answer_cut();
    }
}

/// The session that ends loses its answers, and that tells their authors.
void HttpExchange::revoke() {
    if (owner_ != nullptr && state_ != State::done) {
        owner_->answer_cut();
    }
}

std::size_t HttpExchange::backlog() const {
    return owner_ == nullptr ? 0 : pending_.size() + owner_->unsent();
}

void HttpExchange::pause_body(bool paused) {
    if (body_paused_ == paused) {
        return;
    }
    body_paused_ = paused;
    if (owner_ != nullptr) {
        owner_->body_pause_changed();
    }
}

void HttpExchange::holds(std::size_t bytes) {
    if (state_ != State::done && held_ != bytes) {
        held_ = bytes;
        if (owner_ != nullptr) {
            owner_->holding_changed();
        }
    }
}

std::size_t HttpExchange::room() const {
    return owner_ == nullptr ? 0 : owner_->room();
}

AnswerCarried HttpExchange::carried() {
    return {.mark = mark_front_ + std::exchange(mark_, nullptr)(),
            .keep_alive = form_.keep_alive,
            .head_only = form_.head_only,
            .is_1_1 = form_.is_1_1,
            .begun = state_ == State::streaming,
            .filler_every = filler_every_,
            .filler = filler_};
}

void HttpExchange::adopt(const AnswerCarried& carried) {
    state_ = carried.begun ? State::streaming : State::waiting;
    chunked_ = carried.begun && form_.is_1_1;
    filler_every_ = carried.filler_every;
    filler_ = carried.filler;
}

void HttpExchange::drained() {
    if (on_drained_) {
        std::exchange(on_drained_, nullptr)();
    }
}

void HttpExchange::lose() {
    if (owner_ != nullptr && state_ != State::done && held_ > 0) {
        left_behind_ = owner_->leave_behind(held_);
    }
    owner_ = nullptr;
    lost_ = true;
    on_drained_ = nullptr;
    mark_ = nullptr;
    if (on_closed_ && state_ != State::done) {
        std::exchange(on_closed_, nullptr)();
    }
    on_closed_ = nullptr;
}

void HttpExchange::end_endless() {
    mark_ = nullptr;
    Job told = std::exchange(on_closed_, nullptr);
    end();
    if (told) {
        told();
    }
}

std::chrono::seconds HttpExchange::filler_every() const {
    return state_ == State::streaming ? filler_every_ : std::chrono::seconds(0);
}

void HttpExchange::finish() {
    held_ = 0;
    on_closed_ = nullptr;  // these may hold this very object
    on_drained_ = nullptr;
    mark_ = nullptr;
    owner_->answer_grew();
}

}  // namespace smsrack::wire
