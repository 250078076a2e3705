/// A client that posts one message after the other and accepts only 202 as an answer.
#pragma once

#include "tests/support/rack.hpp"

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace smsrack::test {

/// A message that was accepted, and the number that no other message goes to.
struct Posted {
    std::string id;
    std::string to;
};

/// Runs on its own thread, on one keep-alive connection or on a new one for each message; a refusal or a lost connection
/// ends it, and is its fault().
class Poster {
public:
    /// Numbers from `first` on.
    Poster(const Rack& rack, int first, bool keep_alive)
        : rack_(rack),
          next_(first),
          keep_alive_(keep_alive),
          thread_([this](const std::stop_token& stop) { post_all(stop); }) {}

    /// What was accepted.
    const std::vector<Posted>& end();
    /// After end(): empty where every message was accepted.
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    void post_all(const std::stop_token& stop);
    void post(UnixStream& stream, int n);
    void take(const HttpAnswer& answer, int n);

    const Rack& rack_;
    int next_;
    const bool keep_alive_;
    std::vector<Posted> posted_;
    std::string fault_;
    std::jthread thread_;
};

[[nodiscard]] std::string poster_number(int n);
/// Every tenth is long.
[[nodiscard]] wire::Json poster_message(int n);

}  // namespace smsrack::test
