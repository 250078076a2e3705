/// One connection of TLS, as the server: OpenSSL between two memory buffers.
///
/// Bound:   a record of TLS that has not come as a whole (16 KiB), and what it wants to say.
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/octet_filter.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;  // NOLINT(readability-identifier-naming): OpenSSL's own names
struct ssl_st;      // NOLINT(readability-identifier-naming)

namespace smsrack::gate {

class TlsFilter final : public net::OctetFilter {
public:
    /// `context` may end before the filter. `agreed`: as TlsContext::new_filter().
    TlsFilter(ssl_ctx_st& context, std::function<void(bool)> agreed);

    /// One that has not agreed has failed.
    ~TlsFilter() override;
    TlsFilter(const TlsFilter&) = delete;
    TlsFilter& operator=(const TlsFilter&) = delete;

    [[nodiscard]] Came receive(std::string_view octets, std::string& plain) override;
    void send(std::string_view plain) override;
    void send_end() override;
    [[nodiscard]] std::string_view output() const override {
        return std::string_view(output_).substr(written_);
    }
    void written(std::size_t count) override;
    [[nodiscard]] bool is_ready() const override { return ready_; }
    [[nodiscard]] std::string peer_name() const override;

private:
    [[nodiscard]] Came agree();
    void collect();

    const std::unique_ptr<ssl_st, void (*)(ssl_st*)> ssl_;
    std::function<void(bool)> agreed_;  // empty once called
    std::string output_;
    std::size_t written_ = 0;  // of output_
    bool ready_ = false;
};

}  // namespace smsrack::gate
