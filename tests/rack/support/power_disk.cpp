#include "tests/rack/support/power_disk.hpp"

#include "src/base/check.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::test {
namespace {

constexpr std::size_t sector = 512;
// A larger write is several: the power may go between them, and each has its own fate.
constexpr std::size_t piece = 1024;
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

struct Write {
    std::size_t offset = 0;
    std::string octets = {};
    bool truncates = false;  // to `offset`
};

/// One file, by its path.
struct Kept {
    std::string durable = {};
    bool is_there = false;  // on the disk: its folder knows of it
    bool removed = false;   // and the folder was not synced since
    std::vector<Write> unsynced = {};
};

void apply(std::string& content, const Write& write) {
    if (write.truncates) {
        content.resize(write.offset);
        return;
    }
    content.resize(std::max(content.size(), write.offset + write.octets.size()));
    content.replace(write.offset, write.octets.size(), write.octets);
}

std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// How a cut treats what was not synced: all alike, or each write or sector by itself.
enum class Fate : std::uint8_t { lost, kept, write_by_write, sector_by_sector };

bool falls(Random& random) {
    return random.below(2) == 0;
}

/// How much of a write reached the disk.
enum class Share : std::uint8_t { none, part, whole };

Share persist(std::string& content, const Write& write, Fate fate, Random& random) {
    if (fate == Fate::lost || (fate == Fate::write_by_write && falls(random))) {
        return Share::none;
    }
    if (fate != Fate::sector_by_sector || write.truncates) {
        apply(content, write);
        return Share::whole;
    }
    std::size_t kept = 0;
    std::size_t all = 0;
    for (std::size_t at = 0; at < write.octets.size();) {
        const std::size_t size =
            std::min(sector - (write.offset + at) % sector, write.octets.size() - at);
        ++all;
        if (falls(random)) {
            ++kept;
            apply(content, {.offset = write.offset + at, .octets = write.octets.substr(at, size)});
        }
        at += size;
    }
    return kept == 0 ? Share::none : kept == all ? Share::whole : Share::part;
}

}  // namespace

struct PowerDisk::State {
    sqlite3_vfs vfs = {};
    sqlite3_vfs* real = nullptr;
    mutable std::mutex mutex;  // guards all below
    std::map<std::string, Kept> files;
    Counts counts;
    std::set<std::string> synced_by_writer;
    bool full = false;
    std::uint64_t operations_left = endless;  // until the power goes

    /// Whether this operation still has power.
    [[nodiscard]] bool spends() {
        if (operations_left == 0) {
            return false;
        }
        operations_left -= operations_left == endless ? 0 : 1;
        return true;
    }

    /// A file that was there before counts as synced.
    void opened(const std::string& path, bool is_new) {
        const std::lock_guard lock(mutex);
        if (const auto old = files.find(path);
            operations_left != 0 && old != files.end() && old->second.removed) {
            files.erase(old);
        }
        const auto [file, first] = files.try_emplace(path);
        if (first && !is_new) {
            file->second.durable = read_all(path);
            file->second.is_there = true;
        }
    }
    void wrote(const std::string& path, Write write) {
        const std::lock_guard lock(mutex);
        if (spends()) {
            files[path].unsynced.push_back(std::move(write));
        }
    }
    void synced(const std::string& path) {
        const std::lock_guard lock(mutex);
        if (!spends()) {
            return;
        }
        Kept& file = files[path];
        for (const Write& write : file.unsynced) {
            apply(file.durable, write);
        }
        file.unsynced.clear();
        ++counts.syncs;
        // The journal of the file system is one: what was made and removed before is there and gone.
        std::erase_if(files, [](const auto& entry) { return entry.second.removed; });
        for (auto& [name, other] : files) {
            other.is_there = true;
        }
    }
    void removed(const std::string& path, bool folder_synced) {
        const std::lock_guard lock(mutex);
        if (!spends()) {
            return;
        }
        if (folder_synced) {
            files.erase(path);
        } else if (const auto file = files.find(path); file != files.end()) {
            file->second.removed = true;
            file->second.unsynced.clear();
        }
    }
};

namespace {

/// What SQLite has in its hand; the real file lies behind it.
struct Shim {
    sqlite3_file base;
    PowerDisk::State* state;
    std::string* path;  // null: a temporary file, which no start finds
    sqlite3_file* real;
};

Shim& shim_of(sqlite3_file* file) {
    return *reinterpret_cast<Shim*>(file);
}

sqlite3_file* real_of(sqlite3_file* file) {
    return shim_of(file).real;
}

int close(sqlite3_file* file) {
    Shim& shim = shim_of(file);
    delete std::exchange(shim.path, nullptr);
    return shim.real->pMethods->xClose(shim.real);
}

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
    return real_of(file)->pMethods->xRead(real_of(file), to, size, offset);
}

bool has_no_room(sqlite3_file* file, sqlite3_int64 end) {
    PowerDisk::State& state = *shim_of(file).state;
    const std::lock_guard lock(state.mutex);
    sqlite3_int64 octets = 0;
    return state.full && real_of(file)->pMethods->xFileSize(real_of(file), &octets) == SQLITE_OK &&
           end > octets;
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
    if (has_no_room(file, offset + size)) {
        return SQLITE_FULL;
    }
    const int code = real_of(file)->pMethods->xWrite(real_of(file), from, size, offset);
    if (const Shim& shim = shim_of(file); code == SQLITE_OK && shim.path != nullptr) {
        std::string_view rest(static_cast<const char*>(from), static_cast<std::size_t>(size));
        for (auto at = static_cast<std::size_t>(offset); !rest.empty(); at += piece) {
            shim.state->wrote(*shim.path,
                              {.offset = at, .octets = std::string(rest.substr(0, piece))});
            rest.remove_prefix(std::min(piece, rest.size()));
        }
    }
    return code;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
    const int code = real_of(file)->pMethods->xTruncate(real_of(file), size);
    if (const Shim& shim = shim_of(file); code == SQLITE_OK && shim.path != nullptr) {
        shim.state->wrote(*shim.path,
                          {.offset = static_cast<std::size_t>(size), .truncates = true});
    }
    return code;
}

/// The real disk need not wait: this one alone is asked what it kept.
int sync(sqlite3_file* file, int) {
    if (const Shim& shim = shim_of(file); shim.path != nullptr) {
        shim.state->synced(*shim.path);
    }
    return SQLITE_OK;
}

int size(sqlite3_file* file, sqlite3_int64* octets) {
    return real_of(file)->pMethods->xFileSize(real_of(file), octets);
}
int lock(sqlite3_file* file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}
int unlock(sqlite3_file* file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
int is_reserved(sqlite3_file* file, int* answer) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), answer);
}
int control(sqlite3_file* file, int what, void* argument) {
    if (what == SQLITE_FCNTL_SIZE_HINT) {
        return SQLITE_OK;  // room that was not written is nothing to keep
    }
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}
int sector_size(sqlite3_file* file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}
int characteristics(sqlite3_file* file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** to) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, to);
}
int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}
void shm_barrier(sqlite3_file* file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}
int shm_unmap(sqlite3_file* file, int remove) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

constexpr sqlite3_io_methods methods{.iVersion = 2,
                                     .xClose = close,
                                     .xRead = read,
                                     .xWrite = write,
                                     .xTruncate = truncate,
                                     .xSync = sync,
                                     .xFileSize = size,
                                     .xLock = lock,
                                     .xUnlock = unlock,
                                     .xCheckReservedLock = is_reserved,
                                     .xFileControl = control,
                                     .xSectorSize = sector_size,
                                     .xDeviceCharacteristics = characteristics,
                                     .xShmMap = shm_map,
                                     .xShmLock = shm_lock,
                                     .xShmBarrier = shm_barrier,
                                     .xShmUnmap = shm_unmap,
                                     .xFetch = nullptr,
                                     .xUnfetch = nullptr};

PowerDisk::State& state_of(sqlite3_vfs* vfs) {
    return *static_cast<PowerDisk::State*>(vfs->pAppData);
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    PowerDisk::State& state = state_of(vfs);
    Shim* const shim = new (file)
        Shim{.base = {},
             .state = &state,
             .path = nullptr,
             .real = reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(Shim))};
    const bool is_new = name == nullptr || !std::filesystem::exists(name);
    const int code = state.real->xOpen(state.real, name, shim->real, flags, out_flags);
    if (shim->real->pMethods == nullptr) {
        return code;
    }
    shim->base.pMethods = &methods;
    if (code == SQLITE_OK && name != nullptr && (flags & SQLITE_OPEN_DELETEONCLOSE) == 0) {
        shim->path = new std::string(name);
        state.opened(*shim->path, is_new);
    }
    return code;
}

int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    PowerDisk::State& state = state_of(vfs);
    const int code = state.real->xDelete(state.real, name, 0);
    if (code == SQLITE_OK) {
        state.removed(name, sync_folder != 0);
    }
    return code;
}

}  // namespace

PowerDisk::PowerDisk(std::set<std::string> synced) : state_(std::make_unique<State>()) {
    state_->synced_by_writer = std::move(synced);
    state_->real = sqlite3_vfs_find(nullptr);
    SMSRACK_CHECK(state_->real != nullptr);
    state_->vfs = *state_->real;  // what has nothing to do with files goes to the real one
    state_->vfs.pNext = nullptr;
    state_->vfs.zName = "power-disk";
    state_->vfs.szOsFile = static_cast<int>(sizeof(Shim)) + state_->real->szOsFile;
    state_->vfs.pAppData = state_.get();
    state_->vfs.xOpen = open;
    state_->vfs.xDelete = remove;
    SMSRACK_CHECK(sqlite3_vfs_register(&state_->vfs, 1) == SQLITE_OK);
}

PowerDisk::~PowerDisk() {
    sqlite3_vfs_unregister(&state_->vfs);
    sqlite3_vfs_register(state_->real, 1);
}

void PowerDisk::cut(const std::filesystem::path& folder, const std::filesystem::path& to,
                    Random& random) {
    const std::lock_guard lock(state_->mutex);
    state_->operations_left = endless;
    const auto put = [&](const std::string& name, const std::string& content) {
        std::ofstream(to / name, std::ios::binary)
            .write(content.data(), static_cast<std::streamsize>(content.size()));
    };
    const auto fate = static_cast<Fate>(random.below(4));
    for (const auto& [path, file] : state_->files) {
        const std::filesystem::path name(path);
        if (name.parent_path() != folder) {
            continue;
        }
        std::string content = file.durable;
        bool any = file.is_there;
        for (const Write& write : file.unsynced) {
            const Share share = persist(content, write, fate, random);
            any = any || share != Share::none;
            ++state_->counts.unsynced_writes;
            state_->counts.lost += share == Share::none ? 1 : 0;
            state_->counts.torn += share == Share::part ? 1 : 0;
        }
        if (any && !(file.removed && falls(random))) {
            put(name.filename(), content);
        }
    }
    const std::filesystem::directory_iterator entries(folder);
    std::set<std::filesystem::path> others;  // in an order that is the same each time
    for (const auto& entry : entries) {
        if (entry.is_regular_file() && !state_->files.contains(entry.path().string())) {
            others.insert(entry.path());
        }
    }
    for (const std::filesystem::path& path : others) {
        const std::string name = path.filename();
        if (name.ends_with("-shm")) {  // memory, not a file
            continue;
        }
        std::string content = read_all(path);
        switch (state_->synced_by_writer.contains(name) ? 2 : random.below(3)) {
            case 0:
                break;
            case 1:
                content.resize(random.below(content.size() + 1));
                [[fallthrough]];
            default:
                put(name, content);
        }
    }
}

void PowerDisk::go_off_after(std::uint64_t operations) {
    const std::lock_guard lock(state_->mutex);
    state_->operations_left = operations;
}

void PowerDisk::fill(bool full) {
    const std::lock_guard lock(state_->mutex);
    state_->full = full;
}

bool PowerDisk::is_full() const {
    const std::lock_guard lock(state_->mutex);
    return state_->full;
}

bool PowerDisk::is_off() const {
    const std::lock_guard lock(state_->mutex);
    return state_->operations_left == 0;
}

void PowerDisk::forget(const std::filesystem::path& folder) {
    const std::lock_guard lock(state_->mutex);
    std::erase_if(state_->files, [&folder](const auto& entry) {
        return std::filesystem::path(entry.first).parent_path() == folder;
    });
}

std::size_t PowerDisk::heap_octets() const {
    const std::lock_guard lock(state_->mutex);
    std::size_t octets = 0;
    for (const auto& [path, file] : state_->files) {
        octets += file.durable.capacity() + file.unsynced.capacity() * sizeof(Write);
        for (const Write& write : file.unsynced) {
            octets += write.octets.capacity();
        }
    }
    return octets;
}

PowerDisk::Counts PowerDisk::counts() const {
    const std::lock_guard lock(state_->mutex);
    return state_->counts;
}

}  // namespace smsrack::test
