/// A stack in one piece of memory, from whose top whole arrays can be moved.
struct ParseStack<Element>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    /// An empty stack with room for `capacity` elements.
    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    /// The element at a position below `count`.
    @inline(__always)
    subscript(position: Int) -> Element {
        get { storage[position] }
        set { storage[position] = newValue }
    }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        (storage + count).initialize(to: element)
        count &+= 1
    }

    /// Removes and returns the last element; there must be one.
    @inline(__always)
    mutating func pop() -> Element {
        count &-= 1
        return (storage + count).move()
    }

    /// Removes the last `length` elements; there must be as many. The caller moves them from where they begin.
    @inline(__always)
    mutating func surrender(_ length: Int) -> UnsafeMutablePointer<Element> {
        count &-= length
        return storage + count
    }

    /// Removes and destroys the last `length` elements; there must be as many.
    mutating func removeLast(_ length: Int) {
        surrender(length).deinitialize(count: length)
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = larger
        capacity *= 2
    }
}
