/// The session's half of an answer that reads a streamed body: it goes with the body, the other half
/// with the last answer.
#pragma once

#include "src/wire/http_message.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace smsrack::wire {

template <typename Stream>
class SharedBody final : public BodyReader {
public:
    explicit SharedBody(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}
    void data(std::string_view piece) override { stream_->data(piece); }
    void end() override { stream_->end(); }
    void stopped() override { stream_->stopped(); }
    void aborted() override { stream_->aborted(); }

private:
    std::shared_ptr<Stream> stream_;
};

}  // namespace smsrack::wire
