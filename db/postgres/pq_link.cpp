#include "db/postgres/pq_link.hpp"

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::postgres {

PqLink::PqLink(const PqLibrary& pq, const ConnectValues& values, std::function<void()> on_warning)
    : pq_(pq), on_warning_(std::move(on_warning)), connection_(nullptr, pq.finish) {
    std::vector<const char*> words;
    std::vector<const char*> texts;
    for (const auto& [word, text] : values) {
        words.push_back(word.c_str());
        texts.push_back(text.c_str());
    }
    words.push_back(nullptr);
    texts.push_back(nullptr);
    connection_.reset(pq_.connect_start(words.data(), texts.data(), 0));
    if (pq_.status(connection_.get()) == CONNECTION_BAD) {
        state_ = State::lost;
        return;
    }
    (void)pq_.set_notice_receiver(connection_.get(), &PqLink::on_notice, this);
}

void PqLink::on_notice(void* self, const PGresult* notice) {
    const PqLink& link = *static_cast<const PqLink*>(self);
    const char* const severity = link.pq_.error_field(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != nullptr && std::string_view(severity) == "WARNING") {
        link.on_warning_();
    }
}

void PqLink::connect() {
    switch (pq_.connect_poll(connection_.get())) {
        case PGRES_POLLING_READING:
            wants_to_write_ = false;
            break;
        case PGRES_POLLING_WRITING:
            wants_to_write_ = true;
            break;
        case PGRES_POLLING_OK:
            wants_to_write_ = false;
            state_ = pq_.set_nonblocking(connection_.get(), 1) == 0 ? State::open : State::lost;
            break;
        default:
            state_ = State::lost;
    }
}

void PqLink::step() {
    if (state_ == State::connecting) {
        return connect();
    }
    if (state_ == State::lost) {
        return;
    }
    // What has arrived is read even where the other side has closed: it may be the answer.
    const bool has_read = pq_.consume_input(connection_.get()) == 1;
    const int flushed = wants_to_write_ ? pq_.flush(connection_.get()) : 0;
    wants_to_write_ = flushed == 1;
    if ((!has_read || flushed < 0) && !is_asked_) {
        state_ = State::lost;
    }
}

void PqLink::send(const std::string& text, const std::string& secret) {
    const char* const value = secret.c_str();
    const int sent = secret.empty() ? pq_.send_query(connection_.get(), text.c_str())
                                    : pq_.send_query_params(connection_.get(), text.c_str(), 1,
                                                            nullptr, &value, nullptr, nullptr, 0);
    if (sent != 1) {
        state_ = State::lost;
        return;
    }
    is_asked_ = true;
    const int flushed = pq_.flush(connection_.get());
    wants_to_write_ = flushed == 1;
    if (flushed < 0) {
        state_ = State::lost;
    }
}

std::optional<Rows> PqLink::next() {
    if (!is_asked_ || pq_.is_busy(connection_.get()) != 0) {
        return std::nullopt;
    }
    if (PGresult* const result = pq_.get_result(connection_.get()); result != nullptr) {
        return Rows(pq_, result);
    }
    is_asked_ = false;
    if (pq_.status(connection_.get()) == CONNECTION_BAD) {
        state_ = State::lost;
    }
    return std::nullopt;
}

std::set<ports::EngineNotice> PqLink::take_notices() {
    std::set<ports::EngineNotice> notices;
    while (PGnotify* const one = pq_.notifies(connection_.get())) {
        ports::EngineNotice notice;
        if (std::string_view(one->relname) == "smsrack_mail") {
            const std::string_view box = one->extra;
            (void)std::from_chars(box.data(), box.data() + box.size(), notice.mail_to.value);
        }
        notices.insert(notice);
        pq_.free_memory(one);
    }
    return notices;
}

std::string PqLink::why_lost() const {
    std::string why = pq_.error_message(connection_.get());
    while (!why.empty() && why.back() == '\n') {
        why.pop_back();
    }
    return why.empty() ? "the connection was lost" : why;
}

}  // namespace smsrack::postgres
