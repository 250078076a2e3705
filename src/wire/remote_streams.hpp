/// Streams of callers over the network: cut once the token that they came with counts no more.
///
/// Bound:   the streams that are open, and as many that have ended.
/// Threads: loop thread.
#pragma once

#include "src/wire/http_message.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::wire {

class RemoteStreams {
public:
    /// `token`: the hash of the caller's.
    void add(std::string token, const ResponderPtr& responder);

    /// Cuts those whose token does not count.
    void cut_unless(const std::function<bool(const std::string& token)>& counts);

private:
    struct Stream {
        std::string token;
        std::weak_ptr<Responder> responder;
    };

    std::vector<Stream> streams_;
    std::size_t sweep_at_ = 64;  // ended ones are forgotten when there are as many
};

}  // namespace smsrack::wire
